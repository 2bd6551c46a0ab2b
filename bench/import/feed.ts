/** A feed of any size: seeded, so that every run has the same; about 3 kB of XML a product. */
import { createWriteStream } from "node:fs";

const WORDS = (
  "la casa el río una noche sobre los años de lluvia y el tiempo perdido en las ciudades donde nadie recuerda " +
  "cómo empezó todo pero alguien guarda una carta the house by the river a winter of letters and the long way " +
  "home through cities that nobody remembers niños canción señor corazón más allá también después"
).split(" ");
const NAMES = [
  "Ana",
  "Luis",
  "Carmen",
  "Jorge",
  "Mary",
  "Emily",
  "Arthur",
  "Nélida",
  "Íñigo",
  "Begoña",
  "Thomas",
  "Clara",
];
const SURNAMES = [
  "García",
  "Lozano",
  "Ibáñez",
  "Smith",
  "Whitmore",
  "Ruiz",
  "Ferrer",
  "O’Hara",
  "Núñez",
  "Barnes",
  "Vidal",
];
const FORMS = [
  ["BC", "B104"],
  ["BB", "B401"],
  ["BC", "B105"],
  ["EA", "E101"],
  ["AJ", "A103"],
] as const;
const LANGUAGES = ["spa", "spa", "spa", "eng", "eng", "cat", "fre", "por"];

/** xorshift32: as good as this needs, and the same everywhere. */
export function random(seed: number): (below: number) => number {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** The ISBN of a book by its number: all different, in no order. */
export function isbnOf(number: number): string {
  const core = `978${String((number * 387_420_489 + 7) % 1_000_000_000).padStart(9, "0")}`;
  let sum = 0;
  for (let at = 0; at < 12; at++) sum += Number(core[at]) * (at % 2 === 0 ? 1 : 3);
  return core + ((10 - (sum % 10)) % 10);
}

function words(pick: (below: number) => number, count: number): string {
  let text = WORDS[pick(WORDS.length)]!;
  for (let at = 1; at < count; at++) text += ` ${WORDS[pick(WORDS.length)]}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function productXml(number: number, pick: (below: number) => number): string {
  const isbn = isbnOf(number);
  const [form, detail] = FORMS[pick(FORMS.length)]!;
  const first = NAMES[pick(NAMES.length)]!;
  const last = SURNAMES[pick(SURNAMES.length)]!;
  const language = LANGUAGES[pick(LANGUAGES.length)]!;
  const imprint = pick(400);
  const date = `${1995 + pick(32)}${String(1 + pick(12)).padStart(2, "0")}${String(1 + pick(28)).padStart(2, "0")}`;
  const pages = 60 + pick(700);
  return `  <Product>
    <RecordReference>com.example.${number}</RecordReference>
    <NotificationType>03</NotificationType>
    <ProductIdentifier>
      <ProductIDType>03</ProductIDType>
      <IDValue>${isbn}</IDValue>
    </ProductIdentifier>
    <ProductIdentifier>
      <ProductIDType>15</ProductIDType>
      <IDValue>${isbn}</IDValue>
    </ProductIdentifier>
    <DescriptiveDetail>
      <ProductComposition>00</ProductComposition>
      <ProductForm>${form}</ProductForm>
      <ProductFormDetail>${detail}</ProductFormDetail>
      <Measure>
        <MeasureType>01</MeasureType>
        <Measurement>${(180 + pick(80)) / 10}</Measurement>
        <MeasureUnitCode>cm</MeasureUnitCode>
      </Measure>
      <Measure>
        <MeasureType>02</MeasureType>
        <Measurement>${(110 + pick(60)) / 10}</Measurement>
        <MeasureUnitCode>cm</MeasureUnitCode>
      </Measure>
      <TitleDetail>
        <TitleType>01</TitleType>
        <TitleElement>
          <TitleElementLevel>01</TitleElementLevel>
          <TitleText>${words(pick, 3 + pick(5))}</TitleText>
        </TitleElement>
      </TitleDetail>
      <Contributor>
        <SequenceNumber>1</SequenceNumber>
        <ContributorRole>A01</ContributorRole>
        <PersonName>${first} ${last}</PersonName>
        <PersonNameInverted>${last}, ${first}</PersonNameInverted>
        <NamesBeforeKey>${first}</NamesBeforeKey>
        <KeyNames>${last}</KeyNames>
      </Contributor>
      <NoEdition/>
      <Language>
        <LanguageRole>01</LanguageRole>
        <LanguageCode>${language}</LanguageCode>
      </Language>
      <Extent>
        <ExtentType>00</ExtentType>
        <ExtentValue>${pages}</ExtentValue>
        <ExtentUnit>03</ExtentUnit>
      </Extent>
      <Subject>
        <MainSubject/>
        <SubjectSchemeIdentifier>93</SubjectSchemeIdentifier>
        <SubjectCode>FB${String.fromCharCode(65 + pick(26))}</SubjectCode>
      </Subject>
      <Subject>
        <SubjectSchemeIdentifier>20</SubjectSchemeIdentifier>
        <SubjectHeadingText>${words(pick, 3)}; ${words(pick, 2)}</SubjectHeadingText>
      </Subject>
      <Audience>
        <AudienceCodeType>01</AudienceCodeType>
        <AudienceCodeValue>01</AudienceCodeValue>
      </Audience>
    </DescriptiveDetail>
    <CollateralDetail>
      <TextContent>
        <TextType>03</TextType>
        <ContentAudience>00</ContentAudience>
        <Text textformat="05"><p>${words(pick, 20 + pick(20))} &amp; ${words(pick, 10)}.</p><p><em>${words(pick, 6)}</em></p></Text>
      </TextContent>
    </CollateralDetail>
    <PublishingDetail>
      <Imprint>
        <ImprintName>Sello ${imprint}</ImprintName>
      </Imprint>
      <Publisher>
        <PublishingRole>01</PublishingRole>
        <PublisherName>Grupo ${imprint % 40}</PublisherName>
      </Publisher>
      <PublishingStatus>04</PublishingStatus>
      <PublishingDate>
        <PublishingDateRole>01</PublishingDateRole>
        <Date dateformat="00">${date}</Date>
      </PublishingDate>
    </PublishingDetail>
    <ProductSupply>
      <SupplyDetail>
        <Supplier>
          <SupplierRole>01</SupplierRole>
          <SupplierName>Distribuidora ${imprint % 12}</SupplierName>
        </Supplier>
        <ProductAvailability>21</ProductAvailability>
        <Price>
          <PriceType>04</PriceType>
          <PriceAmount>${5 + pick(40)}.${10 + pick(90)}</PriceAmount>
          <CurrencyCode>EUR</CurrencyCode>
        </Price>
      </SupplyDetail>
    </ProductSupply>
  </Product>
`;
}

export async function writeFeed(path: string, products: number): Promise<void> {
  const file = createWriteStream(path, { highWaterMark: 1 << 22 });
  const write = (text: string) =>
    new Promise<void>((resolve, reject) => file.write(text, (error) => (error ? reject(error) : resolve())));
  await write(`<?xml version="1.0" encoding="UTF-8"?>
<ONIXMessage release="3.0" xmlns="http://ns.editeur.org/onix/3.0/reference">
  <Header>
    <Sender>
      <SenderName>Colophon bench</SenderName>
    </Sender>
    <SentDateTime>20260101</SentDateTime>
  </Header>
`);
  const pick = random(20_260_101);
  let text = "";
  for (let number = 0; number < products; number++) {
    text += productXml(number, pick);
    if (text.length > 1 << 20) {
      await write(text);
      text = "";
    }
  }
  await write(`${text}</ONIXMessage>\n`);
  await new Promise<void>((resolve) => file.end(resolve));
}
