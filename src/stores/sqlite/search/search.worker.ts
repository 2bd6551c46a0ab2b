/** A thread that searches a catalog on a connection of its own, one search after the other. */
import type { CatalogQuality } from "../../../catalog/quality/catalog-quality.ts";
import type { FacetRequest, Facets, SearchRequest, SearchResult } from "../../../catalog/search/search.ts";
import { SearchTooBroad, SearchUnavailable } from "../../../catalog/store-errors.ts";
import { connect, type DatabaseFile } from "../connection.ts";
import { Searcher } from "./search.ts";

declare const self: Worker;

export type SearchTask =
  | { readonly kind: "search"; readonly request: SearchRequest; readonly deadlineMs: number }
  | { readonly kind: "facets"; readonly request: FacetRequest; readonly deadlineMs: number }
  | { readonly kind: "quality"; readonly deadlineMs: number };

/** The result of a task, by its kind. */
export type SearchOutcome = SearchResult | Facets | CatalogQuality;

/** The file comes first, then tasks. */
export type SearchMessage =
  | { readonly kind: "open"; readonly file: DatabaseFile }
  | SearchTask
  | { readonly kind: "close" };

/** One reply for each task and for `close`, in their order. */
export type SearchReply =
  | { readonly kind: "result"; readonly result: SearchOutcome }
  | { readonly kind: "timeout" | "too broad" | "closed" }
  | { readonly kind: "failed"; readonly message: string; readonly code: string };

/** Holds the inner pages of the index. */
const CACHE_KIB = 16 * 1024;

let file: DatabaseFile | undefined;
let open: { readonly db: ReturnType<typeof connect>; readonly searcher: Searcher } | undefined;

self.onmessage = ({ data }: MessageEvent<SearchMessage>) => {
  if (data.kind === "open") file = data.file;
  else if (data.kind === "close") self.postMessage(close());
  else self.postMessage(run(data));
};

function run(task: SearchTask): SearchReply {
  try {
    // The connection is opened by the first search, so that its failure is that of the search.
    open ??= openSearcher(file!);
    return { kind: "result", result: outcomeOf(task, open.searcher) };
  } catch (error) {
    if (error instanceof SearchUnavailable) return { kind: "timeout" };
    if (error instanceof SearchTooBroad) return { kind: "too broad" };
    // After a disk error, a new connection may succeed.
    close();
    const { message, code = "" } = error as Error & { code?: string };
    return { kind: "failed", message, code };
  }
}

function outcomeOf(task: SearchTask, searcher: Searcher): SearchOutcome {
  if (task.kind === "search") return searcher.search(task.request, task.deadlineMs);
  return task.kind === "facets" ? searcher.facets(task.request, task.deadlineMs) : searcher.quality();
}

function openSearcher(file: DatabaseFile) {
  const db = connect(file, CACHE_KIB);
  try {
    db.run("PRAGMA query_only = ON");
    return { db, searcher: new Searcher(db) };
  } catch (error) {
    db.close();
    throw error;
  }
}

function close(): SearchReply {
  open?.searcher[Symbol.dispose]();
  open?.db.close();
  open = undefined;
  return { kind: "closed" };
}
