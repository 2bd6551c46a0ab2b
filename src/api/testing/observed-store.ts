/** Wraps a store: counts what is read from it, and makes it fail on demand. */
import type { Batches, Snapshot, Store } from "../../catalog/store.ts";

export interface ObservedStore {
  /** Calls of `record`. */
  lookups: number;
  /** Lookup transactions that were begun. */
  lookupTransactions: number;
  /** Calls of `search`, `facets` and `quality`. */
  searches: number;
  openSnapshots: number;
  /** All snapshots, open or closed. */
  snapshots: number;
  /** Bytes of record bodies read through snapshots. */
  bytesRead: number;
  /** When set, every call throws it. */
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
  const failOnDemand = () => {
    if (observed.failure) throw observed.failure;
  };
  const lookups = store.lookupTransaction;
  return {
    observed,
    store: {
      revision() {
        failOnDemand();
        return store.revision();
      },
      lookupTransaction: lookups && {
        begin() {
          failOnDemand();
          observed.lookupTransactions++;
          return lookups.begin();
        },
        lastImportId: () => lookups.lastImportId(),
        end: () => lookups.end(),
      },
      record(isbn, view) {
        failOnDemand();
        observed.lookups++;
        return store.record(isbn, view);
      },
      snapshot() {
        failOnDemand();
        const snapshot = store.snapshot();
        return snapshot instanceof Promise
          ? snapshot.then((late) => observeSnapshot(late, observed))
          : observeSnapshot(snapshot, observed);
      },
      async search(request) {
        failOnDemand();
        observed.searches++;
        return store.search(request);
      },
      async facets(request) {
        failOnDemand();
        observed.searches++;
        return store.facets(request);
      },
      async quality() {
        failOnDemand();
        observed.searches++;
        return store.quality();
      },
      stats: () => store.stats(),
      tokens: store.tokens,
      beginImport: () => store.beginImport(),
      recordFailedImport: (run, details) => store.recordFailedImport(run, details),
      appliedFeeds: (sha256s) => store.appliedFeeds(sha256s),
      importHistory: {
        list(...range) {
          failOnDemand();
          return store.importHistory.list(...range);
        },
        get(number) {
          failOnDemand();
          return store.importHistory.get(number);
        },
        originOf(isbn) {
          failOnDemand();
          return store.importHistory.originOf(isbn);
        },
      },
      beginPreview: () => store.beginPreview(),
      close: () => store.close(),
    },
  };
}

function observeSnapshot(snapshot: Snapshot, observed: ObservedStore): Snapshot {
  observed.openSnapshots++;
  observed.snapshots++;
  let open = true;
  return {
    revision: snapshot.revision,
    hasImprint: (slug) => snapshot.hasImprint(slug),
    missing: (isbns) => snapshot.missing(isbns),
    bodies: (selection, view) => countBytes(snapshot.bodies(selection, view), observed),
    keys: (list, after, limit) => snapshot.keys(list, after, limit),
    total: (list) => snapshot.total(list),
    history: (number) => snapshot.history(number),
    changes: (...range) => snapshot.changes(...range),
    entries: (selection) => snapshot.entries(selection),
    lastImportId: () => snapshot.lastImportId(),
    isbns: () => snapshot.isbns(),
    imprints: () => snapshot.imprints(),
    close() {
      if (open) observed.openSnapshots--;
      open = false;
      snapshot.close();
    },
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
