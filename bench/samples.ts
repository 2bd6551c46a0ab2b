/**
 * The products of ../shared/onix/samples, repeated with other ISBNs and references. The samples belong to others, so
 * they are read when a measurement runs.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sharedFile } from "../src/lib/testing/shared-files.ts";
import { type Isbn13, toIsbn10 } from "../src/onix/isbn.ts";
import { writeMessage } from "./feed.ts";
import { scatteredIsbn } from "./product-xml.ts";

/** The tags of the blocks, in lower case, which is also their short form. Identifiers of other products are in them. */
const FIRST_BLOCK =
  /<(?:\w+:)?(?:descriptivedetail|collateraldetail|promotiondetail|contentdetail|publishingdetail|relatedmaterial|productiondetail|productsupply)\b/i;
const IDENTIFIER = /<(?:\w+:)?(?:ProductIdentifier|productidentifier)\b.*?<\/(?:\w+:)?productidentifier>/gis;
const ID_TYPE = /<(?:\w+:)?(?:ProductIDType|b221)\b[^>]*>\s*(\d+)/;
const ID_VALUE = /<(?:\w+:)?(?:IDValue|b244)\b[^>]*>\s*([^<]*?)\s*</;
const NOTIFICATION = /(?<=<(?:\w+:)?(?:NotificationType|a002)\b[^>]*>)\s*0[45]\s*(?=<)/;
const DELETION_TEXT = /<(?:\w+:)?(?:DeletionText|a199)\b.*?<\/(?:\w+:)?(?:DeletionText|a199)>/gs;
/** The blocks of a whole record. */
const REQUIRED_BLOCKS = ["descriptivedetail", "publishingdetail", "productsupply"];
const REFERENCE = /(?<=<(?:\w+:)?(?:RecordReference|a001)\b[^>]*>)[^<]*/;

/** ONIX list 5. */
const GTIN_13 = "03";
const ISBN_10 = "02";
const ISBN_13 = "15";

/** A product of a sample, whose ISBN and reference can be replaced. */
class SampleProduct {
  private constructor(
    private readonly xml: string,
    /** The identifiers as they are written, hyphens included, and their types. */
    private readonly identifiers: ReadonlyMap<string, string>,
  ) {}

  /**
   * Returns undefined for a product that a new catalog would reject: without an ISBN, or an update without the blocks of
   * a whole record. A deletion becomes an update, because there is nothing to delete.
   */
  static parse(sent: string): SampleProduct | undefined {
    const xml = sent.replace(DELETION_TEXT, "").replace(NOTIFICATION, "04");
    if (
      NOTIFICATION.test(xml) &&
      !REQUIRED_BLOCKS.every((tag) => new RegExp(`[<:]${tag}\\b`, "i").test(xml))
    ) {
      return undefined;
    }
    const head = xml.slice(0, FIRST_BLOCK.exec(xml)?.index ?? xml.length);
    const identifiers = new Map<string, string>();
    for (const [identifier] of head.matchAll(IDENTIFIER)) {
      const type = ID_TYPE.exec(identifier)?.[1];
      const value = ID_VALUE.exec(identifier)?.[1];
      if (value && isBookIdentifier(type, value.replace(/[- ]/g, ""))) identifiers.set(value, type!);
    }
    return identifiers.size > 0 ? new SampleProduct(xml, identifiers) : undefined;
  }

  /** Replaces the ISBN wherever it stands, and makes the reference unique. */
  withIsbn(isbn: string, number: number): string {
    let xml = this.xml.replace(REFERENCE, (reference) => `${reference.trim()}.${number}`);
    for (const [value, type] of this.identifiers) {
      const digits = type === ISBN_10 ? toIsbn10(isbn as Isbn13)! : isbn;
      xml = xml.replaceAll(value, withDigits(value, digits));
    }
    return xml;
  }
}

function isBookIdentifier(type: string | undefined, digits: string): boolean {
  if (type === ISBN_10) return /^\d{9}[\dXx]$/.test(digits);
  return type === ISBN_13 ? /^\d{13}$/.test(digits) : type === GTIN_13 && /^97[89]\d{10}$/.test(digits);
}

/** Writes other digits in the form of an identifier, with its hyphens. */
function withDigits(value: string, digits: string): string {
  let index = 0;
  return value.replace(/[0-9Xx]/g, () => digits[index++]!);
}

/** The products of one sender, and the message around them. */
export interface SenderSample {
  readonly sender: string;
  /** From the DOCTYPE or root element to the first product. */
  readonly start: string;
  readonly end: string;
  readonly products: readonly SampleProduct[];
}

/** Returns the samples by sender, or none where they are missing. */
export function readSenders(): readonly SenderSample[] {
  const { path: folder, missing } = sharedFile("onix/samples");
  if (missing) return [];
  const files = readdirSync(folder)
    .filter((name) => !name.endsWith(".md"))
    .sort();
  const samples = files.flatMap((name) => readSample(join(folder, name)) ?? []);
  // Products need the namespaces that their root element declares, so those of different root elements are not mixed.
  const bySender = Map.groupBy(samples, ({ sender, start }) => `${sender} ${namespacesOf(rootTagOf(start))}`);
  return [...bySender.values()].map((group) => ({
    ...group[0]!,
    products: group.flatMap(({ products }) => products),
  }));
}

/** Writes a feed of the given size, and returns the number of its products. */
export async function writeRepeated(path: string, sample: SenderSample, megabytes: number): Promise<number> {
  let count = 0;
  function* parts(): Generator<string> {
    yield sample.start;
    for (let bytes = 0; bytes < megabytes * 1e6; count++) {
      const product = sample.products[count % sample.products.length]!.withIsbn(scatteredIsbn(count), count);
      bytes += Buffer.byteLength(product);
      yield product;
    }
    yield sample.end;
  }
  await writeMessage(path, parts());
  return count;
}

/** Returns undefined for a file that is not well-formed, not ONIX 3, or has no product with an ISBN. */
function readSample(path: string): SenderSample | undefined {
  if (Bun.spawnSync(["xmllint", "--noout", "--nonet", path]).exitCode !== 0) return undefined;
  const text = decode(path);
  if (!/release\s*=\s*["']3\.|\/onix\/3\./.test(rootTagOf(text))) return undefined;
  const found = [...text.matchAll(/<((?:\w+:)?[Pp]roduct)[\s>].*?<\/\1>\s*/gs)];
  const products = found.flatMap(([xml]) => SampleProduct.parse(xml) ?? []);
  const [first, last] = [found[0], found.at(-1)];
  if (!first || !last || products.length === 0) return undefined;
  const start = text.slice(0, first.index).replace(/^\s*<\?xml[^>]*\?>\s*/, "");
  const sender = /<(?:\w+:)?(?:SenderName|x298)\b[^>]*>\s*([^<]*?)\s*</.exec(start)?.[1];
  return {
    sender: sender || repositoryOf(path),
    start,
    end: text.slice(last.index + last[0].length),
    products,
  };
}

/** Decodes a file by its byte order mark or XML declaration. */
function decode(path: string): string {
  const bytes = readFileSync(path);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  const declaration = bytes.toString("latin1", 0, bytes.indexOf("?>"));
  const encoding = /encoding\s*=\s*["']([^"']+)/.exec(declaration)?.[1] ?? "utf-8";
  return new TextDecoder(encoding as Bun.Encoding).decode(bytes);
}

function rootTagOf(text: string): string {
  return /<(?:\w+:)?ONIX[Mm]essage\b[^>]*>/.exec(text)?.[0] ?? "";
}

/** Returns the name of the root element and its namespace declarations. */
function namespacesOf(rootTag: string): string {
  const declarations = rootTag.match(/xmlns[^\s>]*/g) ?? [];
  return [/[^\s>]*/.exec(rootTag)![0], ...declarations.sort()].join(" ");
}

/** The names of the samples are OWNER__REPOSITORY__PATH. */
function repositoryOf(path: string): string {
  return path.split("/").at(-1)!.split("__").slice(0, 2).join("/");
}
