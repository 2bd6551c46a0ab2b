import type { MessageMark } from "../../catalog/import-state.ts";
import type { Batches, Entry } from "../../catalog/store.ts";
import type { Awaitable } from "../../lib/awaitable.ts";
import type { Isbn13 } from "../../onix/isbn.ts";

/** One state of the catalog, as a preview reads it. Each engine implements it. It takes no lock that others wait for. */
export interface CatalogReader {
  readonly revision: string;
  readonly records: number;
  /** Returns one outline for each ISBN, in the given order; undefined where there is no record. */
  outlines(isbns: readonly Isbn13[]): Awaitable<readonly (RecordOutline | undefined)[]>;
  /** Returns the entry of each ISBN in the given order, and undefined where there is none. */
  entries(isbns: readonly Isbn13[]): Awaitable<readonly (Entry | undefined)[]>;
  /**
   * Returns, for each reference in the given order, the ISBNs of the records with this sender and reference, ascending
   * and at most `limit`. No reference is empty.
   */
  byReferences(
    sender: string,
    references: readonly string[],
    limit: number,
  ): Awaitable<readonly (readonly Isbn13[])[]>;
  lastMessage(sender: string): Awaitable<MessageMark | undefined>;
  /** Lists all ISBNs in ascending order; with a sender, those of the records that it has sent. */
  isbns(sender?: string): Batches<Isbn13>;
  /** Lists the bodies of these records, which exist, in the given order; undefined for a damaged record. */
  bodies(isbns: readonly Isbn13[]): Batches<Uint8Array | undefined>;
  close(): void;
}

/** The part of a record that an import compares with a product. */
export interface RecordOutline {
  readonly etag: string;
  readonly sender: string | undefined;
  readonly reference: string;
  readonly origin: string;
}
