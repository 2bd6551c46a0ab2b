/** The blocks of a product with the elements that real feeds have: about 6 kB of JSON, of which 2 kB are searched. */
export interface ProductTexts {
  readonly isbn: string;
  readonly title: string;
  readonly contributors: readonly string[];
  readonly imprint: string;
  readonly language: string;
  readonly subject: string;
  readonly keywords: string;
  /** `YYYYMMDD`. */
  readonly published: string;
  readonly description: string;
  /** About the author. Is not searched. */
  readonly biography: string;
}

const COUNTRIES =
  "AD AE AF AG AI AL AM AO AR AT AU AW AZ BA BB BD BE BF BG BH BI BJ BM BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL " +
  "CM CN CO CR CU CV CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FM FR GA GB GD GE GH GM GN GQ GR GT GW GY HN HR";

export function blocksXml(product: ProductTexts): string {
  return descriptiveXml(product) + collateralXml(product) + publishingXml(product) + RELATED_XML + SUPPLY_XML;
}

function descriptiveXml(product: ProductTexts): string {
  const { title, contributors, language, subject, keywords } = product;
  return `<DescriptiveDetail><ProductComposition>00</ProductComposition><ProductForm>BC</ProductForm>
<ProductFormDetail>B104</ProductFormDetail>${measureXml("01", "210")}${measureXml("02", "135")}${measureXml("08", "320")}
<TitleDetail><TitleType>01</TitleType><TitleElement><TitleElementLevel>01</TitleElementLevel>
<TitleText>${title}</TitleText></TitleElement></TitleDetail>${contributors.map(contributorXml).join("")}<NoEdition/>
<Language><LanguageRole>01</LanguageRole><LanguageCode>${language}</LanguageCode></Language>
<Extent><ExtentType>00</ExtentType><ExtentValue>288</ExtentValue><ExtentUnit>03</ExtentUnit></Extent>
<Subject><MainSubject/><SubjectSchemeIdentifier>93</SubjectSchemeIdentifier><SubjectCode>${subject}</SubjectCode></Subject>
<Subject><SubjectSchemeIdentifier>10</SubjectSchemeIdentifier><SubjectCode>FIC027000</SubjectCode></Subject>
<Subject><SubjectSchemeIdentifier>20</SubjectSchemeIdentifier><SubjectHeadingText>${keywords}</SubjectHeadingText></Subject>
<Audience><AudienceCodeType>01</AudienceCodeType><AudienceCodeValue>01</AudienceCodeValue></Audience></DescriptiveDetail>`;
}

function measureXml(type: string, millimetres: string): string {
  const unit = type === "08" ? "gr" : "mm";
  return `<Measure><MeasureType>${type}</MeasureType><Measurement>${millimetres}</Measurement><MeasureUnitCode>${unit}</MeasureUnitCode></Measure>`;
}

function contributorXml(name: string, index: number): string {
  const [first = "", last = ""] = name.split(" ");
  return `<Contributor><SequenceNumber>${index + 1}</SequenceNumber><ContributorRole>A01</ContributorRole><PersonName>${name}</PersonName><PersonNameInverted>${last}, ${first}</PersonNameInverted><NamesBeforeKey>${first}</NamesBeforeKey><KeyNames>${last}</KeyNames></Contributor>`;
}

function collateralXml({ isbn, description, biography }: ProductTexts): string {
  return `<CollateralDetail>${textXml("03", description)}${textXml("02", description.slice(0, 200))}${textXml("12", biography)}
<SupportingResource><ResourceContentType>01</ResourceContentType><ContentAudience>00</ContentAudience><ResourceMode>03</ResourceMode>
<ResourceVersion><ResourceForm>02</ResourceForm><ResourceVersionFeature><ResourceVersionFeatureType>01</ResourceVersionFeatureType><FeatureValue>D502</FeatureValue></ResourceVersionFeature>
<ResourceLink>https://covers.example/${isbn}.jpg</ResourceLink></ResourceVersion></SupportingResource></CollateralDetail>`;
}

function textXml(type: string, text: string): string {
  return `<TextContent><TextType>${type}</TextType><ContentAudience>00</ContentAudience><Text>${text}</Text></TextContent>`;
}

function publishingXml({ imprint, published }: ProductTexts): string {
  return `<PublishingDetail><Imprint><ImprintName>${imprint}</ImprintName></Imprint>
<Publisher><PublishingRole>01</PublishingRole><PublisherName>Grupo ${imprint}</PublisherName></Publisher>
<CityOfPublication>Barcelona</CityOfPublication><CountryOfPublication>ES</CountryOfPublication>
<PublishingStatus>04</PublishingStatus><PublishingDate><PublishingDateRole>01</PublishingDateRole><Date>${published}</Date></PublishingDate>
<SalesRights><SalesRightsType>01</SalesRightsType><Territory><CountriesIncluded>${COUNTRIES}</CountriesIncluded></Territory></SalesRights></PublishingDetail>`;
}

const RELATED_XML = `<RelatedMaterial>${["13", "27", "06"]
  .map(
    (code, index) =>
      `<RelatedProduct><ProductRelationCode>${code}</ProductRelationCode><ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>978000000${index}002</IDValue></ProductIdentifier></RelatedProduct>`,
  )
  .join("")}</RelatedMaterial>`;

const SUPPLY_XML = `<ProductSupply><SupplyDetail><Supplier><SupplierRole>01</SupplierRole><SupplierName>Distribuidora</SupplierName></Supplier>
<ProductAvailability>20</ProductAvailability>${["EUR", "USD", "MXN"]
  .map(
    (currency) =>
      `<Price><PriceType>02</PriceType><PriceStatus>02</PriceStatus><PriceAmount>19.90</PriceAmount><Tax><TaxType>01</TaxType><TaxRateCode>R</TaxRateCode><TaxRatePercent>4</TaxRatePercent></Tax><CurrencyCode>${currency}</CurrencyCode><Territory><CountriesIncluded>${COUNTRIES.slice(0, 60)}</CountriesIncluded></Territory></Price>`,
  )
  .join("")}</SupplyDetail></ProductSupply>`;
