/**
 * Products of real senders in ../shared/onix/samples, repeated with other ISBNs and references. The samples belong to
 * others, so they are read when a measurement runs.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sharedFile } from "../src/lib/testing/requirements.ts";
import { type Isbn13, toIsbn10 } from "../src/onix/isbn.ts";
import { writeMessage } from "./feed.ts";
import { scatteredIsbn } from "./product-xml.ts";

const FOLDER = sharedFile("onix/samples");
export const areSamplesMissing = FOLDER.missing;

const PARTS = /^\s*(?:<\?xml[^>]*\?>\s*)?(.*?)(<Product>.*<\/Product>\s*)(.*)$/s;
const IDENTIFIER =
  /<ProductIdentifier>\s*<ProductIDType>(\d+)<\/ProductIDType>.*?<IDValue>\s*([^<]*?)\s*<\/IDValue>/gs;
const REFERENCE = /(?<=<RecordReference\b[^>]*>)[^<]*/;
/** A deletion becomes an update, because there is nothing to delete. */
const DELETION = /(?<=<NotificationType>)05/;

/** ONIX list 5. */
const ISBN_10 = "02";
const BOOK_IDENTIFIERS = [ISBN_10, "03", "15"];

/**
 * Repeats the product of a sample up to the given size, at least once, and returns how often. The sample is UTF-8 with
 * reference tags.
 */
export async function writeRepeated(path: string, sample: string, megabytes: number): Promise<number> {
  const text = readFileSync(join(FOLDER.path, sample), "utf8");
  const [, start, product, end] = PARTS.exec(text.replace(DELETION, "04"))!;
  let count = 0;
  function* parts(): Generator<string> {
    yield start!;
    for (let bytes = 0; bytes <= megabytes * 1e6; count++) {
      const xml = withIsbn(product!, scatteredIsbn(count), count);
      bytes += Buffer.byteLength(xml);
      yield xml;
    }
    yield end!;
  }
  await writeMessage(path, parts());
  return count;
}

/** Replaces the ISBN of a product wherever it stands, and makes the reference unique. */
function withIsbn(product: string, isbn: string, number: number): string {
  const head = product.slice(0, product.indexOf("<DescriptiveDetail>"));
  let xml = product.replace(REFERENCE, (reference) => `${reference.trim()}.${number}`);
  for (const [, type, value] of head.matchAll(IDENTIFIER)) {
    if (!BOOK_IDENTIFIERS.includes(type!)) continue;
    const digits = type === ISBN_10 ? toIsbn10(isbn as Isbn13)! : isbn;
    xml = xml.replaceAll(value!, withDigits(value!, digits));
  }
  return xml;
}

/** Writes other digits in the form of an identifier, with its hyphens. */
function withDigits(value: string, digits: string): string {
  let index = 0;
  return value.replace(/[0-9Xx]/g, () => digits[index++]!);
}
