/** Encodes rows in the binary format of COPY (PostgreSQL manual, COPY, "Binary Format"). */
import type { Entry, StoredRecord } from "../../../catalog/store.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import { recencyFromDay } from "../rows.ts";
import type { LexemeSet } from "../search/lexemes.ts";
import type { SeenRow } from "./pending-changes.ts";
import { STAGED_COLUMNS, WRITTEN_COLUMNS } from "./statements.ts";

const SIGNATURE = Buffer.from("PGCOPY\n\xff\r\n\0", "latin1");
/** Precedes the first row: the signature, no flags, no extension. */
export const HEADER: Uint8Array = Buffer.concat([SIGNATURE, Buffer.alloc(8)]);
/** Follows the last row. */
export const TRAILER: Uint8Array = Buffer.from([0xff, 0xff]);

/** `pg_type.oid` of text, for arrays. */
const TEXT_OID = 25;
/** The length of a NULL. */
const NULL_LENGTH = -1;

/** The number of columns in the table `seen`, and in that of summaries. */
const SEEN_COLUMN_COUNT = 3;
const SUMMARY_COLUMN_COUNT = 4;
/** The number of columns, and three fields with their lengths: 8 bytes, 4 bytes and an etag. */
const SEEN_ROW_BYTES = 2 + 3 * 4 + 8 + 4 + 32;

/** More than a row of a summary has beside its body. */
const SUMMARY_ROW_BYTES = 128;

/** Where an entry comes from. */
export interface RecordSource {
  readonly sender: number;
  readonly feed: number;
  /** What the import has changed; see `changedBlocks`. */
  readonly blocks: string | null;
}

/** Writes a row of the table of summaries. */
export function writeSummary(writer: BinaryWriter, isbn: Isbn13, summary: StoredRecord): void {
  writer.reserve(summary.body.length + SUMMARY_ROW_BYTES);
  writer.int16(SUMMARY_COLUMN_COUNT);
  writer.int64Field(isbn);
  writer.summary(summary);
}

/**
 * Encodes rows into one reused buffer. A result is valid until the next call. With a new buffer each time, the system
 * would have to clear every page.
 */
export class CopyRows {
  readonly #writer = new BinaryWriter();

  ofSeen(rows: readonly SeenRow[]): Uint8Array {
    const writer = this.#writer;
    writer.clear();
    writer.reserve(rows.length * SEEN_ROW_BYTES);
    for (const { isbn, feed, before } of rows) {
      writer.int16(SEEN_COLUMN_COUNT);
      writer.int64Field(isbn);
      writer.int32Field(feed);
      writer.text(before ?? undefined);
    }
    return writer.written();
  }

  /** `change` is the number of the import. A record that is replaced has its summary with it. */
  ofEntries(
    entries: readonly Entry[],
    sourceOf: (entry: Entry) => RecordSource,
    change: number,
    summaryOf?: (entry: Entry) => StoredRecord,
  ): Uint8Array {
    const writer = this.#writer;
    writer.clear();
    for (const entry of entries) {
      const { imprint, published } = entry;
      const { sender, feed, blocks } = sourceOf(entry);
      const summary = summaryOf?.(entry);
      const summaryBytes = summary === undefined ? 0 : summary.body.length + SUMMARY_ROW_BYTES;
      writer.reserve(maxEntryBytes(entry) + 3 * (blocks?.length ?? 0) + summaryBytes);
      writer.int16((summary ? STAGED_COLUMNS : WRITTEN_COLUMNS).length);
      writer.int64Field(entry.isbn);
      writer.int32Field(entry.body.length);
      writer.optionalInt32Field(published && recencyFromDay(published));
      writer.text(entry.etag);
      writer.text(imprint?.slug);
      writer.text(imprint?.name);
      writer.array(entry.languages);
      writer.text(entry.reference);
      writer.text(entry.origin);
      writer.int32(entry.body.length);
      writer.bytes(entry.body);
      writer.int32Field(sender);
      writer.int32Field(change);
      writer.int32Field(change);
      writer.int32Field(feed);
      writer.int32Field(feed);
      writer.text(blocks ?? undefined);
      if (summary) writer.summary(summary);
    }
    return writer.written();
  }
}

/** Returns an upper bound. A UTF-16 code unit takes at most three bytes in UTF-8. */
function maxEntryBytes({ body, reference, origin, imprint, languages, etag }: Entry): number {
  const codeUnits =
    reference.length +
    origin.length +
    etag.length +
    (imprint ? imprint.slug.length + imprint.name.length : 0);
  const languageBytes = languages.reduce((sum, language) => sum + 4 + 3 * language.length, 20);
  return body.length + 3 * codeUnits + languageBytes + 128;
}

/** Writes the fields of rows one after the other. */
export class BinaryWriter {
  #buffer = Buffer.allocUnsafe(64 * 1024);
  #offset = 0;

  /** The number of bytes so far. */
  get length(): number {
    return this.#offset;
  }

  clear(): void {
    this.#offset = 0;
  }

  /** Ensures that so many more bytes fit. */
  reserve(bytes: number): void {
    if (this.#offset + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#offset + bytes));
    larger.set(this.written());
    this.#buffer = larger;
  }

  int16(value: number): void {
    this.#offset = this.#buffer.writeInt16BE(value, this.#offset);
  }

  int32(value: number): void {
    this.#offset = this.#buffer.writeInt32BE(value, this.#offset);
  }

  int16Field(value: number): void {
    this.int32(2);
    this.int16(value);
  }

  int32Field(value: number): void {
    this.int32(4);
    this.int32(value);
  }

  optionalInt32Field(value: number | undefined): void {
    if (value === undefined) this.int32(NULL_LENGTH);
    else this.int32Field(value);
  }

  /** Writes thirteen digits, which need no more than 53 bits. */
  int64Field(digits: string): void {
    const number = Number(digits);
    this.int32(8);
    this.int32(Math.floor(number / 2 ** 32));
    this.#offset = this.#buffer.writeUInt32BE(number % 2 ** 32, this.#offset);
  }

  bigintField(value: bigint): void {
    this.int32(8);
    this.#offset = this.#buffer.writeBigInt64BE(value, this.#offset);
  }

  text(value: string | undefined): void {
    if (value === undefined) {
      this.int32(NULL_LENGTH);
      return;
    }
    const length = this.#buffer.write(value, this.#offset + 4, "utf8");
    this.int32(length);
    this.#offset += length;
  }

  /** Writes an array of one dimension with lower bound 1. An empty array has no dimension. */
  array(values: readonly string[]): void {
    const start = this.#offset;
    this.int32(0);
    this.int32(values.length === 0 ? 0 : 1);
    this.int32(0);
    this.int32(TEXT_OID);
    if (values.length > 0) {
      this.int32(values.length);
      this.int32(1);
      for (const value of values) this.text(value);
    }
    this.#buffer.writeInt32BE(this.#offset - start - 4, start);
  }

  /** Reserves space for a tsvector and writes it. */
  tsvector(lexemes: Pick<LexemeSet, "encodedLength" | "encode">): void {
    const { encodedLength } = lexemes;
    this.reserve(4 + encodedLength);
    this.int32(encodedLength);
    lexemes.encode(this.#buffer, this.#offset);
    this.#offset += encodedLength;
  }

  /** Writes the columns of a summary. */
  summary({ body, etag }: StoredRecord): void {
    this.int32Field(body.length);
    this.text(etag);
    this.int32(body.length);
    this.bytes(body);
  }

  bytes(value: Uint8Array): void {
    this.#buffer.set(value, this.#offset);
    this.#offset += value.length;
  }

  written(start = 0, end = this.#offset): Uint8Array {
    return this.#buffer.subarray(start, end);
  }
}
