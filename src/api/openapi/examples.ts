/** Examples of the OpenAPI document: responses with the sample catalog of Colophon. A test compares them with it. */
import type { Isbn13 } from "../../onix/isbn.ts";

/** The sample catalog has both books, so the examples of the OpenAPI page work with it. */
export const EXAMPLE_ISBNS = ["9789999938228", "9789999901253"] as const;

/** No catalog has it. */
export const UNKNOWN_ISBN = "9789999900003" as Isbn13;

export const exampleChanges = {
  changes: [
    { isbn: EXAMPLE_ISBNS[1], change: "updated", at: "2026-11-02T05:30:12.480Z" },
    { isbn: EXAMPLE_ISBNS[0], change: "added", at: "2026-11-02T05:30:12.480Z" },
    { isbn: UNKNOWN_ISBN, change: "deleted", at: "2026-11-03T05:30:09.115Z" },
  ],
  next: "8c6NfHf4XvJmLnUuLi41LjUuYTFiMmMzZDRlNWY2MDcxOA",
  more: false,
} as const;

export const exampleBook = {
  _id: "000000000009789999938228",
  RecordReference: "9789999938228",
  NotificationType: "03",
  ProductIdentifier: [
    { ProductIDType: "15", IDValue: "9789999938228" },
    { ProductIDType: "02", IDValue: "9999938221" },
    { ProductIDType: "03", IDValue: "9789999938228" },
    { ProductIDType: "01", IDTypeName: "ONIX_NOSEQ", IDValue: "4e7138c4-bda6-5248-82bd-f6de44dbc733" },
  ],
  DescriptiveDetail: {
    ProductComposition: "00",
    ProductForm: "BC",
    ProductFormDetail: "B304",
    ProductPackaging: "00",
    PrimaryContentType: "10",
    Measure: [
      { MeasureType: "01", Measurement: "7.80", MeasureUnitCode: "in" },
      { MeasureType: "02", Measurement: "5.08", MeasureUnitCode: "in" },
      { MeasureType: "03", Measurement: "0.67", MeasureUnitCode: "in" },
      { MeasureType: "08", Measurement: "0.72", MeasureUnitCode: "lb" },
    ],
    CountryOfManufacture: "CN",
    NoCollection: [],
    TitleDetail: {
      TitleType: "01",
      TitleElement: { TitleElementLevel: "01", TitleText: "Treasure Island", "TitleText@textcase": "02" },
    },
    Contributor: {
      SequenceNumber: "1",
      ContributorRole: "A01",
      PersonName: "Robert Louis Stevenson",
      PersonNameInverted: "Stevenson, Robert Louis",
      NamesBeforeKey: "Robert Louis",
      KeyNames: "Stevenson",
    },
    NoEdition: [],
    Language: { LanguageRole: "01", LanguageCode: "eng" },
    Extent: [
      { ExtentType: "00", ExtentValue: "274", ExtentUnit: "03" },
      { ExtentType: "03", ExtentValue: "14", ExtentUnit: "03" },
      { ExtentType: "07", ExtentValue: "288", ExtentUnit: "03" },
    ],
    Illustrated: "02",
    NumberOfIllustrations: "1",
    IllustrationsNote: ["With the map"],
    "IllustrationsNote@language": ["eng"],
    AncillaryContent: [{ AncillaryContentType: "14", Number: "1" }],
    Subject: [
      {
        MainSubject: ["true"],
        SubjectSchemeIdentifier: "93",
        SubjectCode: "YFC",
        SubjectHeadingText: "Children’s / Teenage fiction: Adventure stories",
      },
      {
        MainSubject: [],
        SubjectSchemeIdentifier: "10",
        SubjectCode: "JUV001000",
        SubjectHeadingText: "JUVENILE FICTION / Action & Adventure / General",
      },
      {
        MainSubject: [],
        SubjectSchemeIdentifier: "96",
        SubjectCode: "3MN",
        SubjectHeadingText: "19th century, c 1800 to c 1899",
      },
      {
        MainSubject: [],
        SubjectSchemeIdentifier: "98",
        SubjectCode: "5AL",
        SubjectHeadingText: "Interest age: from c 10 years",
      },
      {
        MainSubject: [],
        SubjectSchemeIdentifier: "20",
        SubjectHeadingText: "pirates; Long John Silver; map; Jim Hawkins; sea",
      },
    ],
    Audience: { AudienceCodeType: "01", AudienceCodeValue: "02" },
    AudienceRange: {
      AudienceRangeQualifier: "17",
      AudienceRangePrecision: ["03", "04"],
      AudienceRangeValue: ["10", "14"],
    },
  },
  CollateralDetail: {
    TextContent: [
      {
        TextType: "03",
        ContentAudience: "00",
        Text: "<p>It began with a map drawn for a bored boy on a wet Scottish holiday. Jim Hawkins finds the map, and the sea-cook with the crutch finds Jim.</p><p>Complete in 288 pages.</p>",
        "Text@language": "eng",
        "Text@textformat": "02",
      },
    ],
  },
  PublishingDetail: {
    Imprint: [{ ImprintName: "Teapot Lighthouse" }],
    Publisher: [{ PublishingRole: "01", PublisherName: ["The Teapot Lighthouse Press Ltd"] }],
    CityOfPublication: ["Whitby"],
    CountryOfPublication: "GB",
    PublishingStatus: "04",
    PublishingDate: [{ PublishingDateRole: "01", Date: "20081230", "Date@dateformat": "00" }],
    CopyrightStatement: [
      { CopyrightYear: ["2008"], CopyrightOwner: [{ CorporateName: "The Teapot Lighthouse Press Ltd" }] },
    ],
    SalesRights: [{ SalesRightsType: "02", Territory: { CountriesIncluded: "GB IE AU NZ" } }],
    ROWSalesRightsType: "03",
  },
  ProductSupply: [
    {
      SupplyDetail: [
        {
          Supplier: { SupplierRole: "02", SupplierName: "Puddle Lane Distribution" },
          ProductAvailability: "32",
          Price: [{ PriceType: "02", PriceAmount: "11.99", CurrencyCode: "GBP" }],
        },
      ],
    },
  ],
};

export const exampleImprint = {
  _id: { slug: "teapot-lighthouse" },
  slug: "teapot-lighthouse",
  name: "Teapot Lighthouse",
};

export const exampleTranslations = {
  _id: { $oid: "5d1f0a7c3b9e4f6082c7d1aa" },
  product_forms: { BC: { eng: "Paperback / softback", spa: "Tapa blanda o Bolsillo" } },
  languages: { spa: { eng: "Spanish", spa: "Español / Castellano" } },
  publishing_status: { "04": { eng: "Active", spa: "Activo" } },
  product_availability: { "20": { eng: "Available", spa: "Disponible. Sin detalles" } },
};
