/**
 * Rejects endless whitespace between products. The scanner passes over it chunk by chunk, so that it takes no memory,
 * but a small gzip file can have very much of it.
 */
import { FeedError } from "../feed/feed-error.ts";
import { findPosition, type Position } from "../xml/position.ts";
import { positionFrom } from "./document-position.ts";

/** The limit of any other text. */
const MAX_BYTES = 4 << 20;
/** The position of a shorter run at the end of a chunk is not computed: such a run is at the end of most chunks. */
const LONG_BYTES = 1000;

export class WhitespaceRun {
  private bytes = 0;
  private start: Position = { line: 1, column: 1 };

  /** Adds bytes of the document, from `start` to `end`. @throws {FeedError} when the whitespace at their end is too long */
  add(bytes: Uint8Array, start: Position, end: Position): void {
    let from = bytes.length;
    while (from > 0 && isWhitespace(bytes[from - 1]!)) from--;
    const length = bytes.length - from;
    if (from > 0 || this.bytes === 0) {
      this.bytes = 0;
      this.start = length < LONG_BYTES ? end : positionFrom(start, findPosition(bytes, from));
    }
    this.bytes += length;
    if (this.bytes <= MAX_BYTES) return;
    const { line, column } = this.start;
    throw new FeedError("a text or comment is larger than 4 MB", line, column);
  }
}

function isWhitespace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
