/** Entries as COPY takes them: PostgreSQL's manual, COPY, "Binary Format". */
import type { Entry } from "../../catalog/port.ts";
import { recencyOf } from "./rows.ts";

const SIGNATURE = Buffer.from("PGCOPY\n\xff\r\n\0", "latin1");
/** No flags, no extension. */
const HEADER = Buffer.concat([SIGNATURE, Buffer.alloc(8)]);
const TRAILER = Buffer.from([0xff, 0xff]);

/** `pg_type.oid` of text, for arrays. */
const TEXT = 25;
const NULL = -1;

/** The columns of `ENTRY_COLUMNS`. */
const COLUMNS = 10;

export function copyOf(entries: readonly Entry[]): Uint8Array {
  const room = entries.reduce((sum, entry) => sum + roomFor(entry), HEADER.length + TRAILER.length);
  const writer = new Writer(room);
  writer.bytes(HEADER);
  for (const entry of entries) {
    const { imprint, published } = entry;
    writer.int16(COLUMNS);
    writer.int64(entry.isbn);
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
  writer.bytes(TRAILER);
  return writer.written();
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
  readonly #buffer: Buffer;
  #at = 0;

  constructor(room: number) {
    this.#buffer = Buffer.allocUnsafe(room);
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

  int64(digits: string): void {
    this.int32(8);
    this.#at = this.#buffer.writeBigInt64BE(BigInt(digits), this.#at);
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
