/** Checks that a document begins like XML, so that an error can name what it is instead. */
import { concatBytes } from "./decoder.ts";
import { FeedError } from "./feed-error.ts";
import { describeNonXmlText } from "./file-type.ts";

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
