/** Converts an XML document of any encoding to UTF-8 without a BOM. Line ends stay as they are. */
import { ByteSource } from "./byte-source.ts";
import { createDecoder } from "./decoder.ts";
import { type DocumentEncoding, detectEncoding, documentEncoding, HEAD_BYTES } from "./document-encoding.ts";
import { DecodeError, printable } from "./feed-error.ts";
import { describeNonXmlBytes, withCheckedOpening } from "./file-type.ts";
import { isSingleByteEncoding, type MisdeclaredUtf8, MisdeclaredUtf8Check } from "./misdeclared-utf8.ts";

/** Receives a warning about the encoding: one sentence, with its position in the document. */
type WarnAboutEncoding = (text: string, line: number, column: number) => void;

const DECODE_STEP_BYTES = 65_536;
/** A UTF-16 unit takes at most this many bytes in UTF-8. */
const MAX_UTF8_BYTES_PER_UNIT = 3;

/**
 * Yields UTF-8 that is valid until the next request. A document in UTF-8 is passed through unchecked. Any other one is
 * yielded up to its first invalid byte.
 * @throws {DecodeError} when the bytes that follow cannot be decoded
 * @throws {FeedError} when the document does not begin like XML
 */
export function utf8Document(
  bytes: AsyncIterable<Uint8Array>,
  warn: WarnAboutEncoding,
): AsyncGenerator<Uint8Array, void, undefined> {
  return withCheckedOpening(convert(bytes, warn));
}

async function* convert(
  bytes: AsyncIterable<Uint8Array>,
  warn: WarnAboutEncoding,
): AsyncGenerator<Uint8Array, void, undefined> {
  const source = new ByteSource(bytes);
  try {
    const head = await source.peek(HEAD_BYTES);
    if (head.length === 0) throw new DecodeError("the feed is empty");
    const otherFormat = describeNonXmlBytes(head, detectEncoding(head) !== undefined);
    if (otherFormat !== undefined) throw new DecodeError(otherFormat);
    const encoding = documentEncoding(head, (text) => warn(text, 1, 1));
    await source.take(encoding.bomBytes);
    if (encoding.name === "utf-8") yield* source;
    else yield* transcode(source, encoding, warn);
  } finally {
    await source.close();
  }
}

async function* transcode(
  source: ByteSource,
  encoding: DocumentEncoding,
  warn: WarnAboutEncoding,
): AsyncGenerator<Uint8Array, void, undefined> {
  const decoder = createDecoder(encoding.name);
  const encoder = new TextEncoder();
  let output = new Uint8Array(DECODE_STEP_BYTES * MAX_UTF8_BYTES_PER_UNIT);
  function* step(bytes: Uint8Array, isLast: boolean): Generator<Uint8Array> {
    const { text, failure } = decoder.decode(bytes, isLast);
    if (text.length * MAX_UTF8_BYTES_PER_UNIT > output.length) {
      output = new Uint8Array(text.length * MAX_UTF8_BYTES_PER_UNIT);
    }
    if (text !== "") yield output.subarray(0, encoder.encodeInto(text, output).written);
    if (failure !== undefined) throw new DecodeError(failure);
  }

  const check = isSingleByteEncoding(encoding.name) ? new MisdeclaredUtf8Check() : undefined;
  for await (const bytes of source) {
    check?.add(bytes);
    for (let start = 0; start < bytes.length; start += DECODE_STEP_BYTES) {
      yield* step(bytes.subarray(start, start + DECODE_STEP_BYTES), false);
    }
  }
  yield* step(new Uint8Array(0), true);
  const misdeclared = check?.finish();
  if (misdeclared) warn(describeMisdeclared(encoding, misdeclared), misdeclared.line, misdeclared.column);
}

function describeMisdeclared(encoding: DocumentEncoding, { sequence }: MisdeclaredUtf8): string {
  const seen = printable(createDecoder(encoding.name).decode(sequence, true).text);
  const meant = printable(new TextDecoder().decode(sequence));
  const declared = printable(encoding.declared ?? encoding.name);
  return `The feed is declared as ${declared}, but its bytes are valid UTF-8: "${seen}" probably means "${meant}".`;
}
