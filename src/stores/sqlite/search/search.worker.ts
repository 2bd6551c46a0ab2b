/** A thread that searches a catalog on a connection of its own. It runs one search at a time; others may be paused. */
import { setPriority } from "node:os";
import { SearchTooBroad } from "../../../catalog/store-errors.ts";
import { connect, type DatabaseFile } from "../connection.ts";
import { type Search, Searcher, type SearchOutcome, type SearchTask } from "./search.ts";

declare const self: Worker;

/**
 * The file comes first. `interrupt` is shared memory: when it is not 0, the running search pauses before its next
 * statement. It continues when it is run again with the same id.
 */
export type SearchMessage =
  | { readonly kind: "open"; readonly file: DatabaseFile; readonly interrupt: Int32Array }
  | { readonly kind: "run"; readonly id: number; readonly task: SearchTask }
  | { readonly kind: "forget"; readonly id: number }
  | { readonly kind: "close" };

/** One reply for each `run` and for `close`, in their order. */
export type SearchReply =
  | { readonly kind: "result"; readonly result: SearchOutcome }
  | { readonly kind: "paused" | "too broad" | "closed" }
  | { readonly kind: "failed"; readonly message: string; readonly code: string };

/** Holds the inner pages of the index. */
const CACHE_KIB = 16 * 1024;
/** The lowest is 19, that of other threads is 0. */
const PRIORITY = 5;

// On Linux, a priority is that of a thread: lookups go first when processors are scarce.
if (process.platform === "linux") setPriority(PRIORITY);

let file: DatabaseFile | undefined;
let interrupt: Int32Array = new Int32Array(1);
let open: { readonly db: ReturnType<typeof connect>; readonly searcher: Searcher } | undefined;
const paused = new Map<number, Search>();

self.onmessage = ({ data }: MessageEvent<SearchMessage>) => {
  if (data.kind === "open") ({ file, interrupt } = data);
  else if (data.kind === "forget") paused.delete(data.id);
  else if (data.kind === "close") self.postMessage(close());
  else self.postMessage(run(data.id, data.task));
};

function run(id: number, task: SearchTask): SearchReply {
  const search = paused.get(id) ?? { task };
  paused.delete(id);
  try {
    // The connection is opened by the first search, so that its failure is that of the search.
    open ??= openSearcher(file!);
    const result = open.searcher.run(search, () => Atomics.load(interrupt, 0) !== 0);
    if (result !== undefined) return { kind: "result", result };
    paused.set(id, search);
    return { kind: "paused" };
  } catch (error) {
    if (error instanceof SearchTooBroad) return { kind: "too broad" };
    // After a disk error, a new connection may succeed.
    close();
    const { message, code = "" } = error as Error & { code?: string };
    return { kind: "failed", message, code };
  }
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

/** Paused searches begin again on the next connection. */
function close(): SearchReply {
  paused.clear();
  open?.searcher[Symbol.dispose]();
  open?.db.close();
  open = undefined;
  return { kind: "closed" };
}
