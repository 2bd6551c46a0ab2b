/** Tells failures of the store from our own: they are 503, never a 404 or an empty list. */

import type { CatalogQuality } from "../catalog/quality/catalog-quality.ts";
import type { Facets, SearchResult } from "../catalog/search/search.ts";
import type { Batches, ReadableStore, Snapshot } from "../catalog/store.ts";
import { DamagedRecord, SearchTooBroad, SearchUnavailable } from "../catalog/store-errors.ts";
import { type Awaitable, attempt, then } from "../lib/awaitable.ts";

export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";

  constructor(cause: unknown) {
    super("The store failed", { cause });
  }
}

/** Wraps a store: whatever it throws becomes a `StoreUnavailable`. */
export function withStoreErrors(store: ReadableStore): ReadableStore {
  const lookups = store.lookupTransaction;
  return {
    // Without closures, for the speed of lookups.
    record(isbn, view) {
      try {
        const record = store.record(isbn, view);
        return record instanceof Promise ? record.catch(fail) : record;
      } catch (error) {
        return fail(error);
      }
    },
    lookupTransaction: lookups && {
      begin() {
        try {
          return lookups.begin();
        } catch (error) {
          return fail(error);
        }
      },
      lastImportId() {
        try {
          return lookups.lastImportId();
        } catch (error) {
          return fail(error);
        }
      },
      end: () => lookups.end(),
    },
    snapshot: () =>
      then(
        asStoreError(() => store.snapshot()),
        wrapSnapshot,
      ),
    search: (request) => asStoreError(async () => store.search(request)) as Promise<SearchResult>,
    facets: (request) => asStoreError(async () => store.facets(request)) as Promise<Facets>,
    quality: () => asStoreError(async () => store.quality()) as Promise<CatalogQuality>,
    importHistory: {
      list: (...range) => asStoreError(() => store.importHistory.list(...range)),
      get: (number) => asStoreError(() => store.importHistory.get(number)),
      originOf: (isbn) => asStoreError(() => store.importHistory.originOf(isbn)),
    },
  };
}

/** Runs a task of the store: whatever it throws becomes a `StoreUnavailable`. */
export function asStoreError<T>(task: () => Awaitable<T>): Awaitable<T> {
  return attempt(task, fail);
}

function wrapSnapshot(snapshot: Snapshot): Snapshot {
  return {
    revision: snapshot.revision,
    hasImprint: (slug) => asStoreError(() => snapshot.hasImprint(slug)),
    missing: (isbns) => asStoreError(() => snapshot.missing(isbns)),
    bodies: (selection, view) => wrapBatches(() => snapshot.bodies(selection, view)),
    keys: (list, after, limit) => asStoreError(() => snapshot.keys(list, after, limit)),
    total: (list) => asStoreError(() => snapshot.total(list)),
    history: (number) => asStoreError(() => snapshot.history(number)),
    changes: (...range) => asStoreError(() => snapshot.changes(...range)),
    entries: (selection) => wrapBatches(() => snapshot.entries(selection)),
    lastImportId: () => asStoreError(() => snapshot.lastImportId()),
    isbns: () => wrapBatches(() => snapshot.isbns()),
    imprints: () => wrapBatches(() => snapshot.imprints()),
    close: () => snapshot.close(),
  };
}

function wrapBatches<T>(open: () => Batches<T>): Batches<T> {
  let batches: Batches<T>;
  try {
    batches = open();
  } catch (error) {
    return fail(error);
  }
  return Symbol.iterator in batches ? wrapSync(batches) : wrapAsync(batches);
}

function* wrapSync<T>(batches: Iterable<readonly T[]>): Generator<readonly T[], void> {
  try {
    yield* batches;
  } catch (error) {
    fail(error);
  }
}

async function* wrapAsync<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<readonly T[], void> {
  try {
    yield* batches;
  } catch (error) {
    fail(error);
  }
}

/**
 * A damaged record is still damaged on the next try, so it is 500 and not 503. A search beyond the limits is no failure
 * of the store: its endpoint says so.
 */
function fail(cause: unknown): never {
  if (cause instanceof DamagedRecord) throw cause;
  if (cause instanceof SearchUnavailable || cause instanceof SearchTooBroad) throw cause;
  throw new StoreUnavailable(cause);
}
