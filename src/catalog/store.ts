/**
 * The store port: everything that the rest of Colophon knows about a database. `src/stores` implements it once per
 * engine, and `src/stores/contract` holds the tests that every implementation must pass.
 */
import type { Awaitable } from "../lib/awaitable.ts";
import type { Day } from "../onix/date.ts";
import type { Isbn13 } from "../onix/isbn.ts";
import type { BookChange, ChangeHistory, ChangePlace } from "./changes/change-history.ts";
import type { ImportDetails } from "./history/import-details.ts";
import type { ImportHistory } from "./history/import-history.ts";
import type { UpdateCounts } from "./history/update-counts.ts";
import type { ImportRun } from "./import-run.ts";
import type { MessageMark, RecordChange, RecordStatus } from "./import-state.ts";
import type { CatalogQuality } from "./quality/catalog-quality.ts";
import type { SearchQuery } from "./search/query.ts";
import type {
  Correction,
  FacetRequest,
  Facets,
  SearchClient,
  SearchRequest,
  SearchResult,
} from "./search/search.ts";
import type { SearchDocument, SupplyUpdate } from "./search/search-document.ts";
import type { ListKey, PagedList, Selection } from "./selection.ts";
import type { StoreLoad } from "./store-load.ts";
import type { SubjectStore } from "./subjects/subject-labels.ts";
import type { TokenRegistry } from "./token-registry.ts";
import type { KeepUndo, UndoStep } from "./undo/undo-step.ts";

/** A record as the API serves it. */
export interface StoredRecord {
  /** The JSON document, UTF-8. */
  readonly body: Uint8Array;
  /** 32 hexadecimal digits derived from `body`; see `etagOf`. */
  readonly etag: string;
}

/** Names the part of a book that is read: its record, or the summary of the record (`src/onix/summary`). */
export type View = "record" | "summary";

export interface Imprint {
  /** The identifier in URLs; see `slugOf`. */
  readonly slug: string;
  readonly name: string;
}

/** All that a store holds about one book: the record, and the fields that it is found by. */
export interface Entry extends StoredRecord {
  readonly isbn: Isbn13;
  /** The key of the sender, empty for a message without one. */
  readonly sender: string;
  /** The sender's RecordReference. Updates and deletions without an ISBN are matched by it. */
  readonly reference: string;
  readonly imprint: Imprint | undefined;
  /** The languages of the text (LanguageRole 01), as codes of ONIX list 74 in lower case. */
  readonly languages: readonly string[];
  /** The publication date. */
  readonly published: Day | undefined;
  /** JSON: what `onix/writer` needs beside the record to export the product as it was sent. */
  readonly origin: string;
  /** The summary of the record. A store makes it for an entry that is put without one. Only an import reads it. */
  readonly summary?: StoredRecord | undefined;
  /** What the search index holds of the book. A store makes it for an entry that is put without it. */
  readonly search?: SearchDocument | undefined;
  /** The targets of the links to other editions. A store finds them for an entry that is put without them. */
  readonly editions?: readonly string[] | undefined;
  /** For an update: what it changes (`changedBlocks`). Without it, a store compares the records. */
  readonly changedBlocks?: string | undefined;
  /** For an update of the supply alone. The words of the book in the search index then stay. */
  readonly supply?: SupplyUpdate | undefined;
}

/** A link between the editions of a work (`src/catalog/editions`). */
export interface EditionLink {
  /** The ISBN of a book of the catalog. */
  readonly isbn: Isbn13;
  /** An ISBN, which the catalog need not have, or the name of a work, which is never thirteen digits. */
  readonly target: string;
}

/** The links of one ISBN or work that are read in each direction: one more than a work is shown with. */
export const MAX_NODE_LINKS = 201;

/** A list in batches of bounded size. A reader that stops early closes it with `return()`, as `for await` does. */
export type Batches<T> = Iterable<readonly T[]> | AsyncIterable<readonly T[]>;

/** An open catalog. Members return directly in an embedded engine, and a promise in a remote one. */
export interface Store {
  /** Returns the catalog's revision: 32 hexadecimal digits, equal wherever the records are equal. */
  revision(): Awaitable<string>;
  /**
   * Returns the record of an ISBN, or its summary: its latest state or, while a lookup transaction is open, the state
   * that the transaction reads. The caller owns a body that is returned synchronously; a promised one may be shared.
   */
  record(isbn: Isbn13, view?: View): Awaitable<StoredRecord | undefined>;
  /** Undefined when the store responds asynchronously. */
  readonly lookupTransaction: LookupTransaction | undefined;
  /** Opens a snapshot of the current state. The caller closes it. */
  snapshot(): Awaitable<Snapshot>;
  /**
   * Returns the books that a search finds, in its order. Rejects with `SearchUnavailable` when too many searches are
   * waiting, when this one takes too long, and when its client has left.
   */
  search(request: SearchRequest, client?: SearchClient): Promise<SearchResult>;
  /**
   * Returns the correction of a query that finds nothing in the whole catalog: near words and initials; see
   * `docs/search.md`. Rejects as `search` does.
   */
  correct(query: SearchQuery, client?: SearchClient): Promise<Correction>;
  /** Counts the books that a search finds by their properties. Rejects as `search` does. */
  facets(request: FacetRequest, client?: SearchClient): Promise<Facets>;
  /**
   * Returns the quality of the whole catalog, from counts that imports maintain; with a day, that of the books which are
   * published from it on. Rejects as `search` does.
   */
  quality(from?: Day, client?: SearchClient): Promise<CatalogQuality>;
  stats(): Awaitable<Stats>;
  /** Returns the load for metrics, without a query. A store without it has none to report. */
  load?(): StoreLoad;
  readonly tokens: TokenRegistry;
  /**
   * Begins an import. Only one can run at a time, so this waits for the running one. `keepUndo` limits what is kept of
   * the last imports to undo them. Default: `KEEP_UNDO`.
   */
  beginImport(keepUndo?: KeepUndo): Promise<ImportTransaction>;
  /**
   * Stores that an import has failed, in a small transaction of its own. Rejects when that is not possible at once; the
   * caller then has nothing to do.
   */
  recordFailedImport(run: ImportRun, details?: ImportDetails): Promise<void>;
  /**
   * Returns which feeds the catalog has taken, by the SHA-256 digests of their bytes, with the number of the last import
   * that did, also one that was undone later. Feeds of failed imports, and of imports that the history no longer has, are
   * not among them.
   */
  appliedFeeds(sha256s: readonly string[]): Awaitable<ReadonlyMap<string, number>>;
  readonly importHistory: ImportHistory;
  readonly subjects: SubjectStore;
  /** Begins an import that never takes effect. Any number can run at a time, also beside an import. */
  beginPreview(): Promise<ImportPreview>;
  close(): Promise<void>;
}

/** The part of a store that requests read. */
export type ReadableStore = Pick<
  Store,
  | "revision"
  | "record"
  | "snapshot"
  | "lookupTransaction"
  | "search"
  | "correct"
  | "facets"
  | "quality"
  | "importHistory"
  | "subjects"
>;

/** A read transaction around several calls of `record`: they see one state and share one set of locks. */
export interface LookupTransaction {
  /** Begins a transaction, and ends the one before. Returns the revision that it reads. */
  begin(): string;
  /** Returns `Snapshot.lastImportId` of the state that the transaction reads or, when none is open, of the latest. */
  lastImportId(): string;
  /** Returns a text that changes with the labels of subjects, in the state that `begin` found. */
  subjectsVersion(): string;
  /** Ends the transaction; does nothing when none is open. */
  end(): void;
}

/**
 * A snapshot can be read for this long whatever imports do. After that, it ends when an import has changed the catalog:
 * a slow reader must not hold the old state for ever. Reading an ended snapshot throws `SnapshotExpired`.
 */
export const SNAPSHOT_HOLD_MS = 60_000;

/** One state of the catalog, readable in several steps while imports go on. Reading a closed snapshot throws. */
export interface Snapshot {
  readonly revision: string;
  hasImprint(slug: string): Awaitable<boolean>;
  /** Returns the ISBNs without a record, in the given order and without duplicates. */
  missing(isbns: readonly Isbn13[]): Awaitable<readonly Isbn13[]>;
  /** Lists the bodies of the selected records, or of their summaries. The caller owns them. */
  bodies(selection: Selection, view?: View): Batches<Uint8Array>;
  /**
   * Lists the summaries of books up to the imprint, as JSON, without a check against damage. A caller that shows anything
   * of one reads it with `bodies`, too.
   */
  summaryStarts(isbns: readonly Isbn13[]): Batches<Uint8Array>;
  /**
   * Returns the links from and to these ISBNs, and to these works (`EditionLink.target`), in any order. Of each, at most
   * `MAX_NODE_LINKS` in each direction, in ascending order.
   */
  editionLinks(nodes: readonly string[]): Awaitable<readonly EditionLink[]>;
  /** Returns the keys of the records that follow a key, whether or not it has a record; without it, the first ones. */
  keys(list: PagedList, after: ListKey | undefined, limit: number): Awaitable<readonly ListKey[]>;
  /** Returns the length of a list. Is undefined when counting it takes longer than a second, or `timeoutMs`. */
  total(list: PagedList, timeoutMs?: number): Awaitable<number | undefined>;
  /** Returns the history of changes, and whether it has an import with this number. */
  history(number: number): Awaitable<ChangeHistory>;
  /**
   * Returns the changes that follow a place, by number and ISBN. Deletions of imports up to `deletionsAfter` are left
   * out.
   */
  changes(after: ChangePlace, deletionsAfter: number, limit: number): Awaitable<readonly BookChange[]>;
  /** Lists the entries of the selected records; without a selection all, in ascending order of ISBN. */
  entries(selection?: Selection): Batches<Entry>;
  /**
   * Returns a text that changes whenever an entry may have changed, also where the record and the revision stay the
   * same: the id of the last import that was applied. Is empty before the first.
   */
  lastImportId(): Awaitable<string>;
  /** Lists all ISBNs in ascending order. */
  isbns(): Batches<Isbn13>;
  /** Lists the imprints that have records, by slug. The name is the spelling that most of the records use. */
  imprints(): Batches<Imprint>;
  /** Closes the snapshot. Closing it twice is allowed. */
  close(): void;
}

export interface Stats {
  readonly revision: string;
  readonly records: number;
  readonly imprints: number;
  /** The end of the last import that changed a record, in ISO 8601. Is undefined before the first. */
  readonly imported: string | undefined;
  /** The last import, whatever its outcome. Is undefined before the first one that this version has run. */
  readonly lastImport?: ImportRun | undefined;
  /** The last import that did not fail. */
  readonly lastApplied?: ImportRun | undefined;
}

/** The steps of an import, of one or several feeds. The feeds are numbered from 1. Readers see nothing of it. */
export interface ImportSteps {
  /** The catalog's revision when the import began. */
  readonly revision: string;
  /** The number of records when the import began. */
  readonly records: number;
  /** True when `put` copies the bytes of entries, so that the caller can free them when it has returned. */
  readonly copiesBytes?: boolean;
  /** Returns one status for each ISBN, in the given order. */
  statusOf(isbns: readonly Isbn13[]): Awaitable<readonly RecordStatus[]>;
  /** Returns the entry of each ISBN in the given order, and undefined where there is none. */
  entries(isbns: readonly Isbn13[]): Awaitable<readonly (Entry | undefined)[]>;
  /**
   * Returns, for each reference in the given order, the ISBNs of the records with this sender and RecordReference, at
   * most 100. ONIX wants it to be unique, but some senders reuse one. An empty reference matches no record, and a record
   * without a known sender is not matched.
   */
  byReferences(sender: string, references: readonly string[]): Awaitable<readonly (readonly Isbn13[])[]>;
  /** Returns the mark that was last set for a sender. Is undefined when none was, or when the mark was empty. */
  lastMessage(sender: string): Awaitable<MessageMark | undefined>;
  setLastMessage(sender: string, mark: MessageMark): Awaitable<void>;
  /** Adds or replaces records. An ISBN occurs at most once in a call. */
  put(entries: readonly Entry[], feed: number): Awaitable<void>;
  /** Marks records that stay unchanged as seen: by the feed that contains them, or by none (0). */
  markSeen(isbns: readonly Isbn13[], feed: number): Awaitable<void>;
  remove(isbns: readonly Isbn13[], feed: number): Awaitable<void>;
  /** Lists the records that no feed has put, marked or removed. The caller may remove a batch before the next. */
  unseen(): Batches<{ readonly isbn: Isbn13; readonly etag: string }>;
  /** Returns the number of records that `unseen` would list; with a sender, those that it has sent. */
  unseenCount(sender?: string): Awaitable<number>;
  /** Counts the records that differ from those before the import, by what its feeds have changed. */
  updateCounts(): Awaitable<UpdateCounts>;
  /** Discards the import. Does nothing when it has ended already. */
  abort(): Promise<void>;
}

/** An import that takes effect: readers see nothing of it before `commit`, and all of it at once afterwards. */
export interface ImportTransaction extends ImportSteps {
  /** Rejects when the import can no longer succeed. Is undefined when the store notices that only at the next step. */
  readonly failure?: Promise<never>;
  /** Lists what another import has changed, the last change first. */
  undoSteps(number: number): Batches<UndoStep>;
  /**
   * Makes the import visible and durable: it survives a power cut from here on. The run is stored with it, also when no
   * record has changed. Throws `OutcomeUnknown` when it cannot be found out whether the import took effect. After any
   * other error it did not.
   */
  commit(revision: string, run: ImportRun, options?: CommitOptions): Promise<void>;
}

export interface CommitOptions {
  /** Forgets the deletions of imports that are older. Default: `KEEP_DELETIONS_DAYS`. */
  readonly keepDeletionsDays?: number | undefined;
  /** For the history of imports. */
  readonly details?: ImportDetails | undefined;
  /** The number of the import that this one undoes. */
  readonly undoes?: number | undefined;
}

/**
 * An import that never takes effect. It starts from one state of the catalog, which other imports may change meanwhile,
 * and it neither waits for them nor delays them.
 */
export interface ImportPreview extends ImportSteps {
  /** Lists the records that the import would change, in ascending order of ISBN. */
  changes(): Batches<RecordChange>;
  /** Lists the bodies of records of the catalog in the given order; undefined for a damaged record. */
  bodiesBefore(isbns: readonly Isbn13[]): Batches<Uint8Array | undefined>;
  /** Returns the body that a record would have. The import would add or change the record. */
  bodyAfter(isbn: Isbn13): Awaitable<Uint8Array>;
}
