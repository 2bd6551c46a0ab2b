/** A generated ONIX feed of any size, about 3 kB of XML per product. The same seed gives the same feed. */
import { completeIsbn13 } from "../../src/onix/isbn.ts";
import { type RandomBelow, randomBelow } from "../random.ts";
import { type FeedVariant, writeFeedFile } from "./feed-file.ts";

const SEED = 20_260_101;

const WORDS = (
  "la casa el río una noche sobre los años de lluvia y el tiempo perdido en las ciudades donde nadie recuerda " +
  "cómo empezó todo pero alguien guarda una carta the house by the river a winter of letters and the long way " +
  "home through cities that nobody remembers niños canción señor corazón más allá también después"
).split(" ");
const FIRST_NAMES = [
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
/** ProductForm (ONIX list 150) and ProductFormDetail (list 175). */
const FORMS = [
  ["BC", "B104"],
  ["BB", "B401"],
  ["BC", "B105"],
  ["EA", "E101"],
  ["AJ", "A103"],
] as const;
/** Repeated codes are more frequent. */
const LANGUAGES = ["spa", "spa", "spa", "eng", "eng", "cat", "fre", "por"];

/** Returns the ISBN of a product by its number. All ISBNs differ, and their order is not that of the numbers. */
export function isbnOf(number: number): string {
  const digits = `978${String((number * 387_420_489 + 7) % 1_000_000_000).padStart(9, "0")}`;
  return completeIsbn13(digits);
}

function sentence(random: RandomBelow, wordCount: number): string {
  const words = Array.from({ length: wordCount }, () => WORDS[random(WORDS.length)]!).join(" ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function productXml(number: number, random: RandomBelow): string {
  const isbn = isbnOf(number);
  const [form, detail] = FORMS[random(FORMS.length)]!;
  const first = FIRST_NAMES[random(FIRST_NAMES.length)]!;
  const last = SURNAMES[random(SURNAMES.length)]!;
  const language = LANGUAGES[random(LANGUAGES.length)]!;
  const imprint = random(400);
  const date = `${1995 + random(32)}${twoDigits(1 + random(12))}${twoDigits(1 + random(28))}`;
  const pages = 60 + random(700);
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
        <Measurement>${(180 + random(80)) / 10}</Measurement>
        <MeasureUnitCode>cm</MeasureUnitCode>
      </Measure>
      <Measure>
        <MeasureType>02</MeasureType>
        <Measurement>${(110 + random(60)) / 10}</Measurement>
        <MeasureUnitCode>cm</MeasureUnitCode>
      </Measure>
      <TitleDetail>
        <TitleType>01</TitleType>
        <TitleElement>
          <TitleElementLevel>01</TitleElementLevel>
          <TitleText>${sentence(random, 3 + random(5))}</TitleText>
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
        <SubjectCode>FB${String.fromCharCode(65 + random(26))}</SubjectCode>
      </Subject>
      <Subject>
        <SubjectSchemeIdentifier>20</SubjectSchemeIdentifier>
        <SubjectHeadingText>${sentence(random, 3)}; ${sentence(random, 2)}</SubjectHeadingText>
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
        <Text textformat="05"><p>${sentence(random, 20 + random(20))} &amp; ${sentence(random, 10)}.</p><p><em>${sentence(random, 6)}</em></p></Text>
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
          <PriceAmount>${5 + random(40)}.${10 + random(90)}</PriceAmount>
          <CurrencyCode>EUR</CurrencyCode>
        </Price>
      </SupplyDetail>
    </ProductSupply>
  </Product>
`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}

const MESSAGE_START = `<ONIXMessage release="3.0" xmlns="http://ns.editeur.org/onix/3.0/reference">
  <Header>
    <Sender>
      <SenderName>Colophon bench</SenderName>
    </Sender>
    <SentDateTime>20260101</SentDateTime>
  </Header>
`;
const MESSAGE_END = "</ONIXMessage>\n";

function* messageParts(products: number): Generator<string> {
  const random = randomBelow(SEED);
  yield MESSAGE_START;
  for (let number = 0; number < products; number++) yield productXml(number, random);
  yield MESSAGE_END;
}

/** Writes the tidy feed, or a variant of it. */
export async function writeFeed(path: string, products: number, variant: FeedVariant = {}): Promise<void> {
  await writeFeedFile(path, messageParts(products), variant);
}
