/** The stores that the suites of the API run on. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Batches, Snapshot, Store } from "../../catalog/store.ts";
import { migratePostgres, openPostgres } from "../../stores/postgres/store.ts";
import { createDatabase } from "../../stores/postgres/testing/server.ts";
import { openSqlite } from "../../stores/sqlite/store.ts";

export interface Engine {
  readonly name: string;
  /** A new and empty store. */
  fresh(): Promise<Shelf>;
}

export interface Shelf extends AsyncDisposable {
  readonly store: Store;
}

const sqlite: Engine = {
  name: "sqlite",
  async fresh() {
    const folder = mkdtempSync(join(tmpdir(), "colophon-http-"));
    const store = openSqlite(join(folder, "catalog.db"), { create: true });
    return {
      store,
      async [Symbol.asyncDispose]() {
        await store.close();
        rmSync(folder, { recursive: true });
      },
    };
  },
};

/** The same store, all of whose answers come later: an engine on the other end of a socket is read so. */
const sqliteLater: Engine = {
  name: "sqlite, answering later",
  async fresh() {
    const shelf = await sqlite.fresh();
    return { store: later(shelf.store), [Symbol.asyncDispose]: () => shelf[Symbol.asyncDispose]() };
  },
};

const postgres: Engine = {
  name: "postgres",
  async fresh() {
    const place = await createDatabase();
    await migratePostgres(place.url);
    const store = openPostgres(place.url);
    return {
      store,
      async [Symbol.asyncDispose]() {
        await store.close();
        await place[Symbol.asyncDispose]();
      },
    };
  },
};

export const ENGINES: readonly Engine[] = [sqlite, sqliteLater, postgres];
export const SQLITE = sqlite;

function later(store: Store): Store {
  return {
    revision: async () => store.revision(),
    lookupTransaction: undefined,
    record: async (isbn) => store.record(isbn),
    snapshot: async () => laterView(await store.snapshot()),
    stats: async () => store.stats(),
    tokens: store.tokens,
    beginImport: () => store.beginImport(),
    close: () => store.close(),
  };
}

function laterView(view: Snapshot): Snapshot {
  return {
    revision: view.revision,
    hasImprint: async (slug) => view.hasImprint(slug),
    missing: async (isbns) => view.missing(isbns),
    bodies: (selection) => laterBatches(view.bodies(selection)),
    entries: () => laterBatches(view.entries()),
    isbns: () => laterBatches(view.isbns()),
    imprints: () => laterBatches(view.imprints()),
    close: () => view.close(),
  };
}

async function* laterBatches<T>(batches: Batches<T>): AsyncGenerator<readonly T[], void> {
  for await (const batch of batches) {
    await new Promise(setImmediate);
    yield batch;
  }
}
