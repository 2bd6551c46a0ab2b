import type { ReadableStore, Snapshot } from "../catalog/store.ts";
import type { Awaitable } from "../lib/awaitable.ts";
import type { Observer } from "./event.ts";

/** Measures the lookups of a store. Lists are not measured, because their duration depends on the client. */
export function timedStore(store: ReadableStore, observe: Observer): ReadableStore {
  function time<T>(lookup: () => Awaitable<T>): Awaitable<T> {
    const startedAtMs = performance.now();
    const end = () => observe({ kind: "store", seconds: (performance.now() - startedAtMs) / 1000 });
    let isAsync = false;
    try {
      const result = lookup();
      isAsync = result instanceof Promise;
      return result instanceof Promise ? result.finally(end) : result;
    } finally {
      if (!isAsync) end();
    }
  }

  function timedSnapshot(snapshot: Snapshot): Snapshot {
    return {
      revision: snapshot.revision,
      hasImprint: (slug) => time(() => snapshot.hasImprint(slug)),
      missing: (isbns) => time(() => snapshot.missing(isbns)),
      bodies: (selection, view) => snapshot.bodies(selection, view),
      keys: (list, after, limit) => time(() => snapshot.keys(list, after, limit)),
      total: (list) => time(() => snapshot.total(list)),
      history: (number) => time(() => snapshot.history(number)),
      changes: (...range) => time(() => snapshot.changes(...range)),
      entries: (selection) => snapshot.entries(selection),
      lastImportId: () => snapshot.lastImportId(),
      isbns: () => snapshot.isbns(),
      imprints: () => snapshot.imprints(),
      close: () => snapshot.close(),
    };
  }

  return {
    record: (isbn, view) => time(() => store.record(isbn, view)),
    // Is not measured: it runs once per event-loop tick and would hide the durations of the lookups.
    lookupTransaction: store.lookupTransaction,
    snapshot() {
      const snapshot = time(() => store.snapshot());
      return snapshot instanceof Promise ? snapshot.then(timedSnapshot) : timedSnapshot(snapshot);
    },
    // Searches take much longer than lookups, and have a route of their own in the durations of requests.
    search: (request) => store.search(request),
    facets: (request) => store.facets(request),
    quality: () => store.quality(),
    importHistory: {
      list: (...range) => time(() => store.importHistory.list(...range)),
      get: (number) => time(() => store.importHistory.get(number)),
      originOf: (isbn) => time(() => store.importHistory.originOf(isbn)),
    },
  };
}
