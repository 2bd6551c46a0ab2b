/** Books for tests of the search: real records with the fields that a search reads. */

import type { Entry } from "../../catalog/store.ts";
import { createEntry } from "../../catalog/testing/entries.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { type BookRecord, type RecordFields, recordId } from "../../onix/record/record-fields.ts";
import { isbn } from "./books.ts";

export interface SearchBookFields {
  readonly title?: string | undefined;
  readonly subtitle?: string | undefined;
  readonly contributors?: readonly string[] | undefined;
  readonly imprint?: string | undefined;
  readonly series?: string | undefined;
  /** Its number in the series. */
  readonly volume?: string | undefined;
  readonly audience?: readonly string[] | undefined;
  readonly languages?: readonly string[] | undefined;
  readonly published?: string | undefined;
  /** Scheme and code. */
  readonly subjects?: readonly (readonly [string, string])[] | undefined;
  readonly form?: string | undefined;
  readonly availability?: string | undefined;
  readonly status?: string | undefined;
  readonly description?: string | undefined;
  /** An amount in euros. */
  readonly price?: string | undefined;
  /** Further supplies: the territory of the market as in a summary, and the availability there. */
  readonly markets?: readonly (readonly [string | null, string])[] | undefined;
}

export function searchBook(number: number | Isbn13, fields: SearchBookFields = {}): Entry {
  const id = typeof number === "number" ? isbn(number) : number;
  const record: BookRecord = {
    _id: recordId(id),
    RecordReference: id,
    DescriptiveDetail: descriptiveDetail(fields),
    CollateralDetail: fields.description
      ? { TextContent: [{ TextType: "03", ContentAudience: "00", Text: fields.description }] }
      : {},
    PublishingDetail: publishingDetail(fields),
    ProductSupply: supplies(fields),
  };
  return createEntry(record, `ref-${id}`, { release: "3.0" });
}

function supplies({ availability, price, markets = [] }: SearchBookFields): RecordFields[] {
  const others = markets.map(([territory, code]) => ({
    ...(territory !== null && { Market: [{ Territory: territoryFields(territory) }] }),
    SupplyDetail: [{ ProductAvailability: code }],
  }));
  if (availability === undefined && price === undefined) return others;
  return [
    ...others,
    {
      SupplyDetail: [
        {
          ...(availability === undefined ? {} : { ProductAvailability: availability }),
          ...(price === undefined ? {} : { Price: [{ PriceAmount: price, CurrencyCode: "EUR" }] }),
        },
      ],
    },
  ];
}

function territoryFields(territory: string): RecordFields {
  const codes = territory.split(" ");
  const listed = (isListed: (code: string) => boolean) =>
    codes
      .filter(isListed)
      .map((code) => code.replace(/^-/, ""))
      .join(" ");
  return {
    CountriesIncluded: listed((code) => code.length === 2),
    RegionsIncluded: listed((code) => code.length > 2 && !code.startsWith("-")),
    CountriesExcluded: listed((code) => /^-..$/.test(code)),
    RegionsExcluded: listed((code) => /^-...+$/.test(code)),
  };
}

function descriptiveDetail(fields: SearchBookFields): RecordFields {
  const { title, subtitle, contributors = [], languages = [], subjects = [], form, series, volume } = fields;
  return {
    Audience: (fields.audience ?? []).map((code) => ({ AudienceCodeType: "01", AudienceCodeValue: code })),
    ...(form === undefined ? {} : { ProductForm: form }),
    ...(title === undefined ? {} : { TitleDetail: titleDetail(title, subtitle) }),
    ...(series === undefined
      ? {}
      : { Collection: [{ TitleDetail: [titleDetail(series, undefined, "02", volume)] }] }),
    Contributor: contributors.map((name) => ({ ContributorRole: "A01", PersonName: name })),
    Language: languages.map((code) => ({ LanguageRole: "01", LanguageCode: code })),
    Subject: subjects.map(([scheme, code]) => ({ SubjectSchemeIdentifier: scheme, SubjectCode: code })),
  };
}

function titleDetail(title: string, subtitle?: string, level = "01", volume?: string): RecordFields {
  const number = volume === undefined ? {} : { PartNumber: volume };
  const element = { TitleElementLevel: level, ...number, TitleText: title };
  return {
    TitleType: "01",
    TitleElement: subtitle === undefined ? element : { ...element, Subtitle: subtitle },
  };
}

function publishingDetail({ imprint, published, status }: SearchBookFields): RecordFields {
  return {
    ...(imprint === undefined ? {} : { Imprint: [{ ImprintName: imprint }] }),
    ...(status === undefined ? {} : { PublishingStatus: status }),
    ...(published === undefined ? {} : { PublishingDate: [{ PublishingDateRole: "01", Date: published }] }),
  };
}
