/** Makes the search documents of the products of a chunk, and encodes them as one text that is copied between threads. */
import { searchDocumentOf } from "../../catalog/search/document-builder.ts";
import { packDocument, type SearchDocument, unpackDocument } from "../../catalog/search/search-document.ts";
import type { BookFields } from "../../onix/fields/book-fields.ts";
import type { Summary } from "../../onix/summary/summary.ts";

export interface EncodedSearchDocuments {
  readonly text: string;
  /** The ends of the documents in `text`. A product without a document has an empty one. */
  readonly ends: Uint32Array;
}

/** Encodes the documents of one chunk. */
export class SearchDocumentEncoder {
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
