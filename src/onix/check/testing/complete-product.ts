/** A product that has everything that a shop needs, with parts that a test replaces. */

export interface ProductParts {
  notification?: string;
  /** XML in DescriptiveDetail before the titles. */
  form?: string;
  title?: string;
  contributor?: string;
  language?: string;
  subject?: string;
  audience?: string;
  /** XML of the block. */
  collateral?: string;
  publishing?: string;
  supply?: string;
  /** XML in Price. */
  price?: string;
}

export const DESCRIPTION =
  "<TextContent><TextType>03</TextType><ContentAudience>00</ContentAudience><Text>About.</Text></TextContent>";
export const COVER = `<SupportingResource><ResourceContentType>01</ResourceContentType><ContentAudience>00</ContentAudience>
<ResourceMode>03</ResourceMode><ResourceVersion><ResourceForm>02</ResourceForm><ResourceLink>https://example.com/cover.jpg</ResourceLink>
</ResourceVersion></SupportingResource>`;
export const PUBLICATION_DATE =
  "<PublishingDate><PublishingDateRole>01</PublishingDateRole><Date>20240115</Date></PublishingDate>";

export function completeProduct(parts: ProductParts = {}): string {
  const {
    notification = "03",
    form = "<ProductComposition>00</ProductComposition><ProductForm>BC</ProductForm>",
    title = "<TitleDetail><TitleType>01</TitleType><TitleElement><TitleElementLevel>01</TitleElementLevel><TitleText>T</TitleText></TitleElement></TitleDetail>",
    contributor = "<Contributor><ContributorRole>A01</ContributorRole><PersonName>N</PersonName></Contributor>",
    language = "<Language><LanguageRole>01</LanguageRole><LanguageCode>spa</LanguageCode></Language>",
    subject = "<Subject><SubjectSchemeIdentifier>93</SubjectSchemeIdentifier><SubjectCode>FBC</SubjectCode></Subject>",
    audience = "<Audience><AudienceCodeType>01</AudienceCodeType><AudienceCodeValue>01</AudienceCodeValue></Audience>",
    collateral = `<CollateralDetail>${DESCRIPTION}${COVER}</CollateralDetail>`,
    publishing = `<PublishingDetail><Imprint><ImprintName>I</ImprintName></Imprint><PublishingStatus>04</PublishingStatus>${PUBLICATION_DATE}</PublishingDetail>`,
    price = "<PriceType>02</PriceType><PriceAmount>9.90</PriceAmount><CurrencyCode>EUR</CurrencyCode>",
    supply = supplyBlock({ price }),
  } = parts;
  return `<Product><RecordReference>r</RecordReference><NotificationType>${notification}</NotificationType>
<ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>9788437604947</IDValue></ProductIdentifier>
<DescriptiveDetail>${form}${title}${contributor}${language}${subject}${audience}</DescriptiveDetail>
${collateral}${publishing}${supply}</Product>`;
}

export function supplyBlock({ price = "", availability = "20", dates = "" }): string {
  return `<ProductSupply><SupplyDetail><Supplier><SupplierRole>01</SupplierRole><SupplierName>S</SupplierName></Supplier>
<ProductAvailability>${availability}</ProductAvailability>${dates}<Price>${price}</Price></SupplyDetail></ProductSupply>`;
}
