/** Checks that a document begins like XML, and recognizes common other files, so that the error can name their format. */
import { concatBytes } from "./decoder.ts";
import { FeedError } from "./feed-error.ts";

type Signature = readonly [bytes: readonly number[], description: string];

/** Files that may have a feed inside. */
const COMPRESSED: readonly Signature[] = [
  [[0x1f, 0x8b], "gzip inside an archive, not XML: unpack it first"],
  [[0x50, 0x4b, 0x03, 0x04], "a zip archive inside an archive, not XML: unpack it first"],
  [[0x28, 0xb5, 0x2f, 0xfd], "a zstd file: only gzip and zip are unpacked"],
  [[0x42, 0x5a, 0x68], "a bzip2 file: only gzip and zip are unpacked"],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], "an xz file: only gzip and zip are unpacked"],
  [[0x37, 0x7a, 0xbc, 0xaf], "a 7z archive: only gzip and zip are unpacked"],
  [[0x52, 0x61, 0x72, 0x21], "a rar archive: only gzip and zip are unpacked"],
];

const OTHER_FORMATS: readonly Signature[] = [
  [[0x25, 0x50, 0x44, 0x46], "a PDF file, not XML"],
  [[0xd0, 0xcf, 0x11, 0xe0], "a Microsoft Office file, not XML"],
  // `<?xm` in EBCDIC (XML 1.0 appendix F), which TextDecoder does not support.
  [[0x4c, 0x6f, 0xa7, 0x94], "the encoding EBCDIC is not supported: save the feed as UTF-8"],
];

/** Returns true for a file that may have a feed inside. */
export function isCompressed(head: Uint8Array): boolean {
  return descriptionOf(head, COMPRESSED) !== undefined;
}

/** Returns undefined when the bytes may be XML. Zeros are binary data unless the encoding is already detected. */
export function describeNonXmlBytes(head: Uint8Array, isEncodingDetected: boolean): string | undefined {
  const description = descriptionOf(head, COMPRESSED) ?? descriptionOf(head, OTHER_FORMATS);
  if (description !== undefined) return description;
  const beginsLikeXml = /^[ \t\r\n]*</.test(String.fromCharCode(...head.subarray(0, 1024)));
  if (!isEncodingDetected && !beginsLikeXml && head.subarray(0, 1024).some(isControl))
    return "binary data, not XML";
  return undefined;
}

function descriptionOf(head: Uint8Array, signatures: readonly Signature[]): string | undefined {
  return signatures.find(([bytes]) => bytes.every((byte, index) => head[index] === byte))?.[1];
}

function isControl(byte: number): boolean {
  return byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x0c;
}

/** Expects text without leading whitespace. Returns undefined when it may be XML. */
export function describeNonXmlText(opening: string): string | undefined {
  if (opening === "") return "the feed contains only whitespace";
  if (/^<!doctype\s+html|^<html[\s>]/i.test(opening)) return "an HTML page, not a feed";
  if (opening.startsWith("<")) return undefined;
  return /^[{[]/.test(opening) ? "JSON, not XML" : "text that is not XML";
}

/** How much text is needed to tell HTML from XML, and how much whitespace may precede it. */
const OPENING_BYTES = 64;
const MAX_LEADING_WHITESPACE_BYTES = 64 << 10;

/**
 * Yields the same bytes, which are UTF-8 without a BOM, after the check of their beginning.
 * @throws {FeedError} when they are not XML
 */
export async function* withCheckedOpening(
  document: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let opening: Uint8Array | undefined = new Uint8Array(0);
  let failure: unknown;
  try {
    for await (const bytes of document) {
      if (opening === undefined) {
        yield bytes;
        continue;
      }
      opening = concatBytes(opening, bytes);
      const whitespace = whitespaceLength(opening);
      if (opening.length - whitespace < OPENING_BYTES && whitespace <= MAX_LEADING_WHITESPACE_BYTES) continue;
      checkOpening(opening);
      yield opening;
      opening = undefined;
    }
  } catch (error) {
    failure = error;
  }
  if (opening !== undefined && (opening.length > 0 || failure === undefined)) {
    checkOpening(opening);
    yield opening;
  }
  if (failure !== undefined) throw failure;
}

function checkOpening(bytes: Uint8Array): void {
  const whitespace = whitespaceLength(bytes);
  if (whitespace > MAX_LEADING_WHITESPACE_BYTES) {
    throw new FeedError("the feed begins with more than 64 kB of whitespace", 1, 1);
  }
  // The check needs only ASCII, which is the same in Latin-1.
  const text = Buffer.from(bytes.subarray(whitespace, whitespace + OPENING_BYTES)).toString("latin1");
  const otherFormat = describeNonXmlText(text);
  if (otherFormat === undefined) return;
  const lines = Buffer.from(bytes.subarray(0, whitespace))
    .toString("latin1")
    .split(/\r\n?|\n/);
  throw new FeedError(otherFormat, lines.length, lines.at(-1)!.length + 1);
}

function whitespaceLength(bytes: Uint8Array): number {
  const length = bytes.findIndex((byte) => byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09);
  return length < 0 ? bytes.length : length;
}
