/** Writes the steps of an import as compressed chunks, which a store appends. */
import { bufferOf } from "../../lib/text.ts";
import type { BookBefore, KeepUndo, OldMark, UndoStep } from "./undo-step.ts";

/** Enough that records which resemble each other are compressed well, at little memory. */
const CHUNK_BYTES = 512 * 1024;
/** The fastest level: ONIX is compressed to a tenth even so. */
const LEVEL = 1;
const CHECKSUM_BYTES = 4;
/** Bytes are compared in blocks of this size first. */
const BLOCK_BYTES = 256;

export const STEP_CODES = { added: 1, replaced: 2, removed: 3, message: 4 } as const satisfies Record<
  UndoStep["kind"],
  number
>;
/** 13 digits fit into it. */
export const ISBN_BYTES = 6;
const NUMBER_BYTES = 4;

/** A book as a change finds it. */
interface OldBook extends Pick<BookBefore, "sender" | "reference" | "origin"> {
  readonly body: Uint8Array;
}

export class UndoWriter {
  /** The size of the chunks so far, as they are stored. */
  bytes = 0;
  #isKept: boolean;
  #buffer = Buffer.allocUnsafe(64 * 1024);
  #length = 0;

  constructor(private readonly limits: Pick<KeepUndo, "bytes">) {
    this.#isKept = limits.bytes > 0;
  }

  /** False when the steps take more than is kept, or one of them is not known. The import then cannot be undone. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** True when there is enough for a chunk. */
  get isFull(): boolean {
    return this.#length >= CHUNK_BYTES;
  }

  giveUp(): void {
    this.#isKept = false;
    this.#length = 0;
  }

  added(isbn: number): void {
    if (!this.#isKept) return;
    this.#begin("added", ISBN_BYTES);
    this.#writeIsbn(isbn);
  }

  /** Takes a record that is replaced by one with this body. Without a body, it is removed. */
  changed(isbn: number, old: OldBook, bodyNow?: Uint8Array): void {
    if (!this.#isKept) return;
    const { sender, reference, origin } = old;
    const body = bufferOf(old.body);
    const [head, tail] = bodyNow === undefined ? [0, 0] : commonEnds(body, bufferOf(bodyNow));
    const middle = body.subarray(head, body.length - tail);
    this.#begin(bodyNow === undefined ? "removed" : "replaced", ISBN_BYTES + 2 * NUMBER_BYTES);
    this.#writeIsbn(isbn);
    this.#writeNumber(head);
    this.#writeNumber(tail);
    for (const text of [sender, reference, origin]) this.#writeBytes(Buffer.from(text));
    this.#writeBytes(middle);
  }

  /** Takes the last message of a sender before the import. */
  message(sender: string, mark: OldMark = {}): void {
    if (!this.#isKept) return;
    this.#begin("message", 0);
    for (const text of [sender, JSON.stringify(mark)]) this.#writeBytes(Buffer.from(text));
  }

  /** Returns the steps since the last call as a chunk, which may have none. Is undefined when they are not kept. */
  take(): Uint8Array | undefined {
    if (!this.#isKept) return undefined;
    const compressed = Bun.zstdCompressSync(this.#buffer.subarray(0, this.#length), { level: LEVEL });
    this.#length = 0;
    this.bytes += compressed.length + CHECKSUM_BYTES;
    if (this.bytes > this.limits.bytes) {
      this.giveUp();
      return undefined;
    }
    const chunk = Buffer.allocUnsafe(compressed.length + CHECKSUM_BYTES);
    chunk.writeUInt32LE(Bun.hash.crc32(compressed));
    chunk.set(compressed, CHECKSUM_BYTES);
    return chunk;
  }

  #begin(kind: UndoStep["kind"], bytes: number): void {
    this.#reserve(bytes + 1);
    this.#buffer[this.#length++] = STEP_CODES[kind];
  }

  #writeIsbn(isbn: number): void {
    this.#length = this.#buffer.writeUIntLE(isbn, this.#length, ISBN_BYTES);
  }

  #writeNumber(number: number): void {
    this.#length = this.#buffer.writeUInt32LE(number, this.#length);
  }

  #writeBytes(bytes: Uint8Array): void {
    this.#reserve(NUMBER_BYTES + bytes.length);
    this.#writeNumber(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#buffer.length));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}

/** Returns how many bytes at the beginning and at the end are the same. */
function commonEnds(a: Buffer, b: Buffer): [head: number, tail: number] {
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head + BLOCK_BYTES <= shorter && isSame(a, head, b, head)) head += BLOCK_BYTES;
  while (head < shorter && a[head] === b[head]) head++;
  const rest = shorter - head;
  let tail = 0;
  const isSameBefore = (end: number) => isSame(a, a.length - end, b, b.length - end);
  while (tail + BLOCK_BYTES <= rest && isSameBefore(tail + BLOCK_BYTES)) tail += BLOCK_BYTES;
  while (tail < rest && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return [head, tail];
}

function isSame(a: Buffer, aStart: number, b: Buffer, bStart: number): boolean {
  return a.compare(b, bStart, bStart + BLOCK_BYTES, aStart, aStart + BLOCK_BYTES) === 0;
}
