/** Wraps a store: counts what is read from it, and makes it fail on demand. */
import type { Batches, Store } from "../../catalog/store.ts";
import { type Method, wrapStore } from "../../catalog/wrap-store.ts";

export interface ObservedStore {
  /** Calls of `record`. */
  lookups: number;
  /** Lookup transactions that were begun. */
  lookupTransactions: number;
  /** Calls of `search`, `correct`, `facets` and `quality`. */
  searches: number;
  openSnapshots: number;
  /** All snapshots, open or closed. */
  snapshots: number;
  /** Bytes of record bodies read through snapshots. */
  bytesRead: number;
  /** When set, every call throws it, except those of the token registry and of open snapshots. */
  failure?: Error;
  /** When set, reading throws after this many bytes. */
  failAfterBytes?: number;
}

export function observeStore(store: Store): { store: Store; observed: ObservedStore } {
  const observed: ObservedStore = {
    lookups: 0,
    lookupTransactions: 0,
    searches: 0,
    openSnapshots: 0,
    snapshots: 0,
    bytesRead: 0,
  };
  const counted: Readonly<Record<string, () => void>> = {
    record: () => observed.lookups++,
    "lookupTransaction.begin": () => observed.lookupTransactions++,
    search: () => observed.searches++,
    correct: () => observed.searches++,
    facets: () => observed.searches++,
    quality: () => observed.searches++,
  };
  const wrap = (method: Method, name: string): Method => {
    if (name === "snapshot.bodies") return (...args) => countBytes(method(...args), observed);
    if (name === "snapshot.close") return countOpen(method, observed);
    if (/^(snapshot|tokens)\.|^lookupTransaction\.end$/.test(name)) return method;
    return (...args) => {
      if (observed.failure) throw observed.failure;
      counted[name]?.();
      return method(...args);
    };
  };
  return { observed, store: wrapStore(store, wrap) };
}

/** The members of a snapshot are wrapped when it has been opened. */
function countOpen(close: Method, observed: ObservedStore): Method {
  observed.openSnapshots++;
  observed.snapshots++;
  let isOpen = true;
  return () => {
    if (isOpen) observed.openSnapshots--;
    isOpen = false;
    close();
  };
}

function countBytes(batches: Batches<Uint8Array>, observed: ObservedStore): Batches<Uint8Array> {
  const count = (batch: readonly Uint8Array[]) => {
    for (const body of batch) observed.bytesRead += body.length;
    if (observed.failAfterBytes !== undefined && observed.bytesRead > observed.failAfterBytes) {
      throw new Error("SQLITE_IOERR: secret of the disk");
    }
    return batch;
  };
  if (Symbol.iterator in batches) {
    return (function* () {
      for (const batch of batches) yield count(batch);
    })();
  }
  return (async function* () {
    for await (const batch of batches) yield count(batch);
  })();
}
