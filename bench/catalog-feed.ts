/** The feed of the benchmark catalog. Its products are generated from a seed, so every run has the same ones. */
import { type Day, subtractDays, utcDay } from "../src/onix/date.ts";
import { completeIsbn13 } from "../src/onix/isbn.ts";
import { writeFeedFile } from "./import/feed-file.ts";
import { type RandomBelow, randomBelow } from "./random.ts";
import { Vocabulary } from "./search/vocabulary.ts";

/** The largest imprint. It has the same number of records in catalogs of any size, spread evenly over the ISBNs. */
export const LARGEST_IMPRINT = { slug: "gran-sello", name: "Gran Sello", records: 10_000 };
/** The number of records of the last 90 days, the same in catalogs of any size. */
const NEWS_RECORDS = 200;

export const BENCH_ISBN_PREFIX = "9788";
const GOLDEN_RATIO = 0.618;

const vocabulary = new Vocabulary();

/** Returns the ISBN of the record at an index. `randomIsbn` in wrk.ts makes the same ones. */
export function isbnAt(index: number): string {
  return completeIsbn13(BENCH_ISBN_PREFIX + String(index).padStart(8, "0"));
}

/** Writes a feed of about 4 kB of XML per product, whose records have 2 to 5 kB. Its products are in no order. */
export async function writeCatalogFeed(path: string, records: number): Promise<void> {
  await writeFeedFile(path, messageParts(records));
}

function* messageParts(records: number): Generator<string> {
  yield '<ONIXMessage release="3.0">\n<Header><Sender><SenderName>Bench</SenderName></Sender>';
  yield "<SentDateTime>20260101</SentDateTime></Header>\n";
  const today = utcDay(new Date());
  const largestStep = Math.max(1, Math.floor(records / LARGEST_IMPRINT.records));
  const newsStep = Math.max(1, Math.floor(records / NEWS_RECORDS));
  for (const index of shuffledIndexes(records)) {
    const isOfLargest = index % largestStep === 0 && index / largestStep < LARGEST_IMPRINT.records;
    const isNews = index % newsStep === 0 && index / newsStep < NEWS_RECORDS;
    const published = subtractDays(today, isNews ? 1 + ((index / newsStep) % 80) : 400 + (index % 5000));
    yield productXml(index, isOfLargest ? LARGEST_IMPRINT.name : `Sello ${index % 500}`, published);
  }
  yield "</ONIXMessage>\n";
}

/** Yields each index once. Neighbours are far apart, as in the feeds of a distributor. */
function* shuffledIndexes(count: number): Generator<number> {
  let step = Math.max(1, Math.floor(count * GOLDEN_RATIO));
  while (greatestCommonDivisor(step, count) !== 1) step++;
  for (let number = 0, index = 0; number < count; number++, index = (index + step) % count) yield index;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function productXml(index: number, imprint: string, published: Day): string {
  const random = randomOf(index);
  const words = (count: number) => vocabulary.text(random, count);
  const subjects = Array.from(
    { length: 4 },
    () => `<Subject><SubjectSchemeIdentifier>20</SubjectSchemeIdentifier>
<SubjectHeadingText>${words(3)}</SubjectHeadingText></Subject>`,
  );
  const language = index % 3 === 0 ? "eng" : "spa";
  return `<Product><RecordReference>ref-${index}</RecordReference><NotificationType>03</NotificationType>
<ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>${isbnAt(index)}</IDValue></ProductIdentifier>
<DescriptiveDetail><ProductComposition>00</ProductComposition><ProductForm>BC</ProductForm>
<TitleDetail><TitleType>01</TitleType><TitleElement><TitleElementLevel>01</TitleElementLevel>
<TitleText>${words(2 + random(6))}</TitleText></TitleElement></TitleDetail>
<Contributor><SequenceNumber>1</SequenceNumber><ContributorRole>A01</ContributorRole><PersonName>${words(2)}</PersonName></Contributor>
<Language><LanguageRole>01</LanguageRole><LanguageCode>${language}</LanguageCode></Language>${subjects.join("")}</DescriptiveDetail>
<CollateralDetail>${textXml("03", words(100 + random(220)))}${textXml("02", words(40))}${textXml("12", words(30 + random(140)))}</CollateralDetail>
<PublishingDetail><Imprint><ImprintName>${imprint}</ImprintName></Imprint><PublishingStatus>04</PublishingStatus>
<PublishingDate><PublishingDateRole>01</PublishingDateRole><Date>${published}</Date></PublishingDate></PublishingDetail>
</Product>
`;
}

function textXml(type: string, text: string): string {
  return `<TextContent><TextType>${type}</TextType><ContentAudience>00</ContentAudience><Text>${text}</Text></TextContent>`;
}

/** Knuth's multiplicative hash keeps the sequences of neighbouring products apart. */
function randomOf(index: number): RandomBelow {
  return randomBelow((index * 2654435761 + 1013904223) >>> 0);
}
