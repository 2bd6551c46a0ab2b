/** Makes the summaries and search documents of the products of a chunk, and encodes them for the way between threads. */
import { editionTargetsIn } from "../../catalog/editions/edition-links.ts";
import { SUMMARY_ETAG_LENGTH, summaryEtagOf } from "../../catalog/entry.ts";
import { DocumentBuilder } from "../../catalog/search/document-builder.ts";
import type { SearchDocuments } from "../../catalog/search/search-document.ts";
import type { StoredRecord } from "../../catalog/store.ts";
import type { LiteralText, RecordVisitor, VisitedRecord } from "../../onix/fields/book-fields.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { type Summary, summarize } from "../../onix/summary/summary.ts";

export interface EncodedSummaries {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The ends of the summaries in `bytes`. A product without a summary has an empty one. */
  readonly ends: Uint32Array;
  /** The etags of the summaries, concatenated. Missing ones are spaces. */
  readonly etags: string;
}

const NO_ETAG = " ".repeat(SUMMARY_ETAG_LENGTH);
const NO_DESCRIPTION = '"description":""';
const MIN_BUFFER_BYTES = 256 * 1024;

/** The scanner makes these from the records of a chunk while it has their element trees. */
export interface Extracts {
  readonly summaries: EncodedSummaries;
  readonly searchDocuments: SearchDocuments;
  /** The targets of the links to other editions, as JSON. A product without a summary has null. */
  readonly editions: string;
}

/** Returns objects of their own for each chunk, because a buffer is transferred. */
export function noExtracts(): Extracts {
  return {
    summaries: { bytes: new Uint8Array(0), ends: new Uint32Array(0), etags: "" },
    searchDocuments: { bytes: new Uint8Array(0), ends: new Uint32Array(0) },
    editions: "[]",
  };
}

/** Makes the summary, the search document and the targets of each record. Keeps its buffers from chunk to chunk. */
export class ExtractEncoder implements RecordVisitor {
  /** Makes none for now. */
  isOff = false;
  private readonly encoder = new TextEncoder();
  private buffer = new Uint8Array(MIN_BUFFER_BYTES);
  private ends: number[] = [];
  private etags = "";
  private end = 0;
  private readonly search = new DocumentBuilder();
  private editions: (readonly string[] | null)[] = [];

  begin(): void {
    this.editions = [];
    this.ends = [];
    this.etags = "";
    this.end = 0;
    this.search.begin();
  }

  /** An update of some blocks gets its summary when it has been merged into the record. */
  visit(record: VisitedRecord | undefined): void {
    if (record && !this.isOff) {
      const start = this.end;
      const summary = summarize(record.fields, record.index, record.updated);
      this.append(summary, record.literal);
      this.etags += summaryEtagOf(this.buffer.subarray(start, this.end));
      this.search.add(record.fields, summary, record.literal);
      this.editions.push(editionTargetsIn(record.fields, summary.isbn as Isbn13));
    } else {
      this.editions.push(null);
      this.etags += NO_ETAG;
      this.search.addNone();
    }
    this.ends.push(this.end);
  }

  /** Returns what was made since the chunk began. */
  take(): Extracts {
    const { buffer, end, ends, etags } = this;
    const summaries = { bytes: buffer.slice(0, end), ends: new Uint32Array(ends), etags };
    const searchDocuments = this.search.take();
    const editions = JSON.stringify(this.editions);
    this.begin();
    return { summaries, searchDocuments, editions };
  }

  /** Appends the JSON of a summary. A description is most of it: when its bytes are known, they are copied. */
  private append(summary: Summary, { text, bytes, from, to }: LiteralText): void {
    if (summary.description !== text) {
      this.appendText(JSON.stringify(summary));
      return;
    }
    const json = JSON.stringify({ ...summary, description: "" });
    // A quote within a text has a backslash before it, so that no text has these characters.
    const at = json.indexOf(NO_DESCRIPTION) + NO_DESCRIPTION.length - 1;
    this.appendText(json.slice(0, at));
    this.reserve(to - from);
    this.buffer.set(bytes.subarray(from, to), this.end);
    this.end += to - from;
    this.appendText(json.slice(at));
  }

  private appendText(text: string): void {
    // A UTF-16 code unit takes at most three bytes in UTF-8.
    this.reserve(text.length * 3);
    this.end += this.encoder.encodeInto(text, this.buffer.subarray(this.end)).written;
  }

  private reserve(count: number): void {
    const needed = this.end + count;
    if (needed <= this.buffer.length) return;
    const grown = new Uint8Array(needed * 2);
    grown.set(this.buffer.subarray(0, this.end));
    this.buffer = grown;
  }
}

export function decodeSummary(
  { bytes, ends, etags }: EncodedSummaries,
  index: number,
): StoredRecord | undefined {
  const [start, end] = [ends[index - 1] ?? 0, ends[index] ?? 0];
  if (start === end) return undefined;
  const etag = etags.slice(index * SUMMARY_ETAG_LENGTH, (index + 1) * SUMMARY_ETAG_LENGTH);
  return { body: bytes.subarray(start, end), etag };
}
