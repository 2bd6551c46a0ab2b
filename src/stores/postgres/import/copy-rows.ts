/** Rows as COPY takes them: PostgreSQL's manual, COPY, "Binary Format". */
import type { Entry } from "../../../catalog/store.ts";
import { recencyOf } from "../rows.ts";
import type { SeenRow } from "./pending-changes.ts";

const SIGNATURE = Buffer.from("PGCOPY\n\xff\r\n\0", "latin1");
/** Before the first row: no flags, no extension. */
export const HEADER: Uint8Array = Buffer.concat([SIGNATURE, Buffer.alloc(8)]);
/** Behind the last one. */
export const TRAILER: Uint8Array = Buffer.from([0xff, 0xff]);

/** `pg_type.oid` of text, for arrays. */
const TEXT = 25;
const NULL = -1;

/** The columns of `ENTRY_COLUMNS`, and those of `touched`. */
const [ENTRY, NOTE] = [10, 3];
/** Of a note: the number of columns, three lengths, and what they are the lengths of: 8 and 4 bytes, and an etag. */
const NOTE_ROOM = 2 + 3 * 4 + 8 + 4 + 32;

/**
 * Makes rows of what an import has, in memory of its own: what it gives is good until it is asked again. Of memory
 * that is new each time, the system would have to clear every page.
 */
export class CopyRows {
  readonly #writer = new Writer();

  ofNotes(notes: readonly SeenRow[]): Uint8Array {
    const writer = this.#writer;
    writer.clear();
    writer.mayNeed(notes.length * NOTE_ROOM);
    for (const { isbn, feed, before } of notes) {
      writer.int16(NOTE);
      writer.int64Field(isbn);
      writer.int32Field(feed);
      writer.text(before ?? undefined);
    }
    return writer.written();
  }

  ofEntries(entries: readonly Entry[]): Uint8Array {
    const writer = this.#writer;
    writer.clear();
    for (const entry of entries) {
      const { imprint, published } = entry;
      writer.mayNeed(roomFor(entry));
      writer.int16(ENTRY);
      writer.int64Field(entry.isbn);
      writer.int32Field(entry.body.length);
      if (published === undefined) writer.int32(NULL);
      else writer.int32Field(recencyOf(published));
      writer.text(entry.etag);
      writer.text(imprint?.slug);
      writer.text(imprint?.name);
      writer.array(entry.languages);
      writer.text(entry.reference);
      writer.text(entry.origin);
      writer.int32(entry.body.length);
      writer.bytes(entry.body);
    }
    return writer.written();
  }
}

/** A unit of UTF-16 has three bytes of UTF-8 at most. */
function roomFor({ body, reference, origin, imprint, languages, etag }: Entry): number {
  const text =
    reference.length +
    origin.length +
    etag.length +
    (imprint ? imprint.slug.length + imprint.name.length : 0);
  const spoken = languages.reduce((sum, language) => sum + 4 + 3 * language.length, 20);
  return body.length + 3 * text + spoken + 128;
}

class Writer {
  #buffer = Buffer.allocUnsafe(64 * 1024);
  #at = 0;

  clear(): void {
    this.#at = 0;
  }

  mayNeed(bytes: number): void {
    if (this.#at + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#at + bytes));
    larger.set(this.written());
    this.#buffer = larger;
  }

  int16(value: number): void {
    this.#at = this.#buffer.writeInt16BE(value, this.#at);
  }

  int32(value: number): void {
    this.#at = this.#buffer.writeInt32BE(value, this.#at);
  }

  int32Field(value: number): void {
    this.int32(4);
    this.int32(value);
  }

  /** Of thirteen digits: a number without a sign, which needs no more than 53 bits. */
  int64Field(digits: string): void {
    const number = Number(digits);
    this.int32(8);
    this.int32(Math.floor(number / 2 ** 32));
    this.#at = this.#buffer.writeUInt32BE(number % 2 ** 32, this.#at);
  }

  text(value: string | undefined): void {
    if (value === undefined) {
      this.int32(NULL);
      return;
    }
    const length = this.#buffer.write(value, this.#at + 4, "utf8");
    this.int32(length);
    this.#at += length;
  }

  /** One dimension, counted from 1; none at all when it is empty. */
  array(values: readonly string[]): void {
    const start = this.#at;
    this.int32(0);
    this.int32(values.length === 0 ? 0 : 1);
    this.int32(0);
    this.int32(TEXT);
    if (values.length > 0) {
      this.int32(values.length);
      this.int32(1);
      for (const value of values) this.text(value);
    }
    this.#buffer.writeInt32BE(this.#at - start - 4, start);
  }

  bytes(value: Uint8Array): void {
    this.#buffer.set(value, this.#at);
    this.#at += value.length;
  }

  written(): Uint8Array {
    return this.#buffer.subarray(0, this.#at);
  }
}
