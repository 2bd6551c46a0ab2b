/** Small feeds for tests. */

export interface ProductOptions {
  reference?: string;
  notification?: string;
  isbn?: string;
  /** XML that replaces the identifier with the ISBN. */
  identifiers?: string;
  title?: string;
  imprint?: string;
  publisher?: string;
  languages?: readonly string[];
  date?: string;
  /** XML at the end of DescriptiveDetail. */
  detail?: string;
  /** XML that replaces all blocks. */
  blocks?: string;
  /** XML at the end of a TextContent. */
  text?: string;
}

export function product(options: ProductOptions = {}): string {
  const { isbn = "9788437604947", reference = `ref-${isbn}`, notification = "03" } = options;
  const identifiers = options.identifiers ?? identifier("15", isbn);
  return `<Product><RecordReference>${reference}</RecordReference><NotificationType>${notification}</NotificationType>
    ${identifiers}${options.blocks ?? blocks(options)}</Product>\n`;
}

export function identifier(type: string, value: string): string {
  return `<ProductIdentifier><ProductIDType>${type}</ProductIDType><IDValue>${value}</IDValue></ProductIdentifier>`;
}

function blocks(options: ProductOptions): string {
  const {
    title = "A title",
    imprint = "Sello",
    languages = ["spa"],
    date = "20240115",
    text,
    publisher,
    detail = "",
  } = options;
  const languageXml = languages
    .map((code) => `<Language><LanguageRole>01</LanguageRole><LanguageCode>${code}</LanguageCode></Language>`)
    .join("");
  return `<DescriptiveDetail><ProductComposition>00</ProductComposition><ProductForm>BC</ProductForm>
      <TitleDetail><TitleType>01</TitleType><TitleElement><TitleElementLevel>01</TitleElementLevel>
      <TitleText>${title}</TitleText></TitleElement></TitleDetail>${languageXml}${detail}</DescriptiveDetail>
    ${text === undefined ? "" : `<CollateralDetail><TextContent><TextType>03</TextType><ContentAudience>00</ContentAudience>${text}</TextContent></CollateralDetail>`}
    <PublishingDetail>
      ${imprint === "" ? "" : `<Imprint><ImprintName>${imprint}</ImprintName></Imprint>`}
      ${publisher === undefined ? "" : `<Publisher><PublishingRole>01</PublishingRole><PublisherName>${publisher}</PublisherName></Publisher>`}
      <PublishingStatus>04</PublishingStatus>
      ${date === "" ? "" : `<PublishingDate><PublishingDateRole>01</PublishingDateRole><Date>${date}</Date></PublishingDate>`}
    </PublishingDetail>
    <ProductSupply><SupplyDetail><Supplier><SupplierRole>01</SupplierRole><SupplierName>S</SupplierName></Supplier>
    <ProductAvailability>20</ProductAvailability></SupplyDetail></ProductSupply>`;
}

export function message(...products: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<ONIXMessage release="3.0" xmlns="http://ns.editeur.org/onix/3.0/reference">
<Header><Sender><SenderName>Test</SenderName></Sender><SentDateTime>20240101</SentDateTime></Header>
${products.join("") || "<NoProduct/>"}</ONIXMessage>
`;
}
