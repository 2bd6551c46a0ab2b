/** Makes the summaries and search documents of the products of a chunk, and encodes them for the way between threads. */
import { etagOf } from "../../catalog/entry.ts";
import { searchDocumentOf } from "../../catalog/search/document-builder.ts";
import { packDocument, type SearchDocument, unpackDocument } from "../../catalog/search/search-document.ts";
import type { StoredRecord } from "../../catalog/store.ts";
import type { BookFields, RecordVisitor, VisitedRecord } from "../../onix/fields/book-fields.ts";
import { type Summary, summarize } from "../../onix/summary/summary.ts";

export interface EncodedSummaries {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The ends of the summaries in `bytes`. A product without a summary has an empty one. */
  readonly ends: Uint32Array;
  /** The etags of the summaries, concatenated. Missing ones are spaces. */
  readonly etags: string;
}

const ETAG_LENGTH = 32;
const NO_ETAG = " ".repeat(ETAG_LENGTH);
const MIN_BUFFER_BYTES = 256 * 1024;

/** The summaries and search documents of a chunk, made while its element trees are there. */
export interface Extracts {
  readonly summaries: EncodedSummaries;
  readonly searchDocuments: EncodedSearchDocuments;
}

/** Returns objects of their own for each chunk, because a buffer is transferred. */
export function noExtracts(): Extracts {
  return { summaries: noSummaries(), searchDocuments: new SearchDocumentEncoder().take() };
}

function noSummaries(): EncodedSummaries {
  return { bytes: new Uint8Array(0), ends: new Uint32Array(0), etags: "" };
}

/** Makes the summary and the search document of each record while its element tree is there. Keeps its buffer from chunk to chunk. */
export class ExtractEncoder implements RecordVisitor {
  private readonly encoder = new TextEncoder();
  private buffer = new Uint8Array(MIN_BUFFER_BYTES);
  private ends: number[] = [];
  private etags = "";
  private end = 0;
  private search = new SearchDocumentEncoder();

  begin(): void {
    this.ends = [];
    this.etags = "";
    this.end = 0;
    this.search = new SearchDocumentEncoder();
  }

  /** An update of some blocks gets its summary when it has been merged into the record. */
  visit(record: VisitedRecord | undefined): void {
    if (record) {
      const start = this.end;
      const summary = summarize(record.fields, record.index, record.updated);
      this.append(JSON.stringify(summary));
      this.etags += etagOf(this.buffer.subarray(start, this.end));
      this.search.add(record.fields, summary);
    } else {
      this.etags += NO_ETAG;
      this.search.addNone();
    }
    this.ends.push(this.end);
  }

  /** Returns what was made since the chunk began. */
  take(): Extracts {
    const { buffer, end, ends, etags, search } = this;
    this.begin();
    return {
      summaries: { bytes: buffer.slice(0, end), ends: Uint32Array.from(ends), etags },
      searchDocuments: search.take(),
    };
  }

  private append(text: string): void {
    // A UTF-16 code unit takes at most three bytes in UTF-8.
    const needed = this.end + text.length * 3;
    if (needed > this.buffer.length) {
      const grown = new Uint8Array(needed * 2);
      grown.set(this.buffer.subarray(0, this.end));
      this.buffer = grown;
    }
    this.end += this.encoder.encodeInto(text, this.buffer.subarray(this.end)).written;
  }
}

export function decodeSummary(
  { bytes, ends, etags }: EncodedSummaries,
  index: number,
): StoredRecord | undefined {
  const [start, end] = [ends[index - 1] ?? 0, ends[index] ?? 0];
  if (start === end) return undefined;
  const etag = etags.slice(index * ETAG_LENGTH, (index + 1) * ETAG_LENGTH);
  return { body: bytes.subarray(start, end), etag };
}

/** Makes the search documents of the products of a chunk, and encodes them as one text that is copied between threads. */
export interface EncodedSearchDocuments {
  readonly text: string;
  /** The ends of the documents in `text`. A product without a document has an empty one. */
  readonly ends: Uint32Array;
}

/** Encodes the documents of one chunk. */
class SearchDocumentEncoder {
  private text = "";
  private readonly ends: number[] = [];

  add(record: BookFields, summary: Summary): void {
    this.text += packDocument(searchDocumentOf(record, summary));
    this.ends.push(this.text.length);
  }

  /** Adds a product without a document. An update of some blocks gets it when it has been merged into the record. */
  addNone(): void {
    this.ends.push(this.text.length);
  }

  take(): EncodedSearchDocuments {
    return { text: this.text, ends: Uint32Array.from(this.ends) };
  }
}

export function decodeSearchDocument(
  { text, ends }: EncodedSearchDocuments,
  index: number,
): SearchDocument | undefined {
  const [start, end] = [ends[index - 1] ?? 0, ends[index] ?? 0];
  return start === end ? undefined : unpackDocument(text.slice(start, end));
}
