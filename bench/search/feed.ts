/** A feed for the measurements of search: words by Zipf's law, about 8 kB of XML per product. */
import { product } from "../../src/onix/testing/message.ts";
import { isbnOf } from "../import/feed.ts";
import { writeFeedFile } from "../import/feed-file.ts";
import { type RandomBelow, randomBelow } from "../random.ts";
import { blocksXml } from "./product-xml.ts";
import { Vocabulary } from "./vocabulary.ts";

const SEED = 15;
const IMPRINTS = 500;
const DESCRIPTION_WORDS = 100;
const BIOGRAPHY_WORDS = 60;
const LANGUAGES = ["spa", "spa", "spa", "eng", "eng", "cat", "fre", "por"];

const vocabulary = new Vocabulary();

export async function writeSearchFeed(path: string, products: number): Promise<void> {
  await writeFeedFile(path, messageParts(products));
}

function* messageParts(products: number): Generator<string> {
  const random = randomBelow(SEED);
  yield '<ONIXMessage release="3.0">\n<Header><Sender><SenderName>Bench</SenderName></Sender>';
  yield "<SentDateTime>20260101</SentDateTime></Header>\n";
  for (let number = 0; number < products; number++) yield productXml(number, random);
  yield "</ONIXMessage>\n";
}

function productXml(number: number, random: RandomBelow): string {
  const isbn = isbnOf(number);
  const year = 2026 - Math.floor(random(30) * (random(100) / 100));
  const blocks = blocksXml({
    isbn,
    title: vocabulary.text(random, 2 + random(5)),
    contributors: Array.from({ length: 1 + random(2) }, () => vocabulary.text(random, 2)),
    imprint: `Sello ${vocabulary.at(random(IMPRINTS))}`,
    language: LANGUAGES[random(LANGUAGES.length)]!,
    subject: `F${letter(random)}${letter(random)}`,
    keywords: vocabulary.text(random, 5),
    published: `${year}${twoDigits(1 + random(12))}${twoDigits(1 + random(28))}`,
    description: vocabulary.text(random, DESCRIPTION_WORDS),
    biography: vocabulary.text(random, BIOGRAPHY_WORDS),
  });
  return product({ isbn, blocks });
}

function letter(random: RandomBelow): string {
  return String.fromCharCode(65 + random(26));
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}

/** Returns distinct queries of one to three words, common ones included, as a reader types them. */
export function searchQueries(count: number, seed: number): string[] {
  const random = randomBelow(seed);
  const queries = new Set<string>();
  while (queries.size < count) queries.add(vocabulary.text(random, 1 + random(3)));
  return [...queries];
}
