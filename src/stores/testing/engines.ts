/**
 * The engines that the suites of the stores and of the API run on. `npm test` leaves PostgreSQL out, which takes longest.
 */
import { Database } from "bun:sqlite";
import { readFileSync, writeFileSync } from "node:fs";
import { SQL } from "bun";
import type { Batches, Store } from "../../catalog/store.ts";
import type { Inspection } from "../../catalog/verify/inspection.ts";
import { type Fault, verify } from "../../catalog/verify/verify.ts";
import { wrapStore } from "../../catalog/wrap-store.ts";
import type { Awaitable } from "../../lib/awaitable.ts";
import { testsWith } from "../../lib/testing/tests-with.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { inspectPostgres } from "../postgres/inspection.ts";
import { openPostgres } from "../postgres/store.ts";
import { borrowCatalogDatabase } from "../postgres/testing/catalog-database.ts";
import { TESTED_ENGINES } from "../postgres/testing/database.ts";
import { inspectSqlite } from "../sqlite/inspection.ts";
import { openSqlite } from "../sqlite/store.ts";
import { TempFolder } from "../sqlite/testing/folder.ts";

export interface Engine<Created extends TestStore = TestStore> {
  readonly name: string;
  /** Creates a new store. It is empty without content. */
  createStore(content?: StoreContent): Promise<Created>;
}

/** Puts books into an empty store. SQLite runs it once per process, and copies the file for each store. */
export type StoreContent = (store: Store) => Promise<unknown>;

/** A store that is closed and deleted when it is disposed. */
interface TestStore extends AsyncDisposable {
  readonly store: Store;
}

/** A store whose database tests can open again, damage and inspect. */
export interface DatabaseTestStore extends TestStore {
  /** Opens the same store again, as another process would. */
  reopen(): Promise<Store>;
  /** Overwrites the body of a record, as a failing disk would. */
  overwriteBody(isbn: Isbn13, body: Uint8Array): Promise<void>;
  overwriteSummary(isbn: Isbn13, body: Uint8Array): Promise<void>;
  overwriteOrigin(isbn: Isbn13, origin: string): Promise<void>;
  /** Runs a statement on the database directly. */
  runSql(sql: string): Promise<void>;
  /** Returns the column `value` of the first row of a query. */
  queryValue(sql: string): Promise<unknown>;
  inspect(): Promise<Inspection>;
}

export type DatabaseEngine = Engine<DatabaseTestStore>;

/** Returns `test` for tests that each run on a new store with the content. */
export function storeTests<Created extends TestStore>(engine: Engine<Created>, content?: StoreContent) {
  return testsWith(() => engine.createStore(content));
}

/** Returns what `colophon verify` finds in a store. */
export async function faultsOf(store: { inspect(): Awaitable<Inspection> }): Promise<readonly Fault[]> {
  const inspection = await store.inspect();
  try {
    return await Array.fromAsync(verify(inspection));
  } finally {
    await inspection.close();
  }
}

/** The deadlines of a service are for clients that wait. A test waits for as long as a busy machine takes. */
const PATIENT = { queryTimeoutMs: 60_000, searchLimits: { timeoutMs: 60_000 } } as const;

export const SQLITE: DatabaseEngine = {
  name: "sqlite",
  async createStore(content = EMPTY) {
    const folder = new TempFolder();
    const path = folder.catalog;
    writeFileSync(path, await sqliteTemplate(content));
    const { store, reopen, closeAll } = openable(() => openSqlite(path, { create: true, ...PATIENT }));
    const execute = async (sql: string, ...values: (string | Uint8Array)[]) => {
      const db = new Database(path);
      db.run(sql, values);
      db.close();
    };
    return {
      store,
      reopen,
      overwriteBody: (isbn, body) =>
        execute("UPDATE body SET body = ? WHERE id = (SELECT id FROM record WHERE isbn = ?)", body, isbn),
      overwriteSummary: (isbn, body) =>
        execute("UPDATE summary SET body = ? WHERE id = (SELECT id FROM record WHERE isbn = ?)", body, isbn),
      overwriteOrigin: (isbn, origin) =>
        execute("UPDATE body SET origin = ? WHERE id = (SELECT id FROM record WHERE isbn = ?)", origin, isbn),
      runSql: (sql) => execute(sql),
      async queryValue(sql) {
        using db = new Database(path);
        return db.prepare<{ value: unknown }, []>(sql).get()?.value;
      },
      inspect: async () => inspectSqlite(path),
      async [Symbol.asyncDispose]() {
        await closeAll();
        folder[Symbol.dispose]();
      },
    };
  },
};

const EMPTY: StoreContent = async () => {};
const sqliteTemplates = new Map<StoreContent, Promise<Uint8Array>>();

/** Returns the file of a catalog with the content. It is made once, because that takes longer than a copy. */
function sqliteTemplate(content: StoreContent): Promise<Uint8Array> {
  const template = sqliteTemplates.get(content) ?? createTemplate(content);
  sqliteTemplates.set(content, template);
  return template;
}

async function createTemplate(content: StoreContent): Promise<Uint8Array> {
  using folder = new TempFolder();
  const store = openSqlite(folder.catalog, { create: true });
  await content(store);
  // It moves the write-ahead log into the file.
  await store.close();
  return readFileSync(folder.catalog);
}

export const POSTGRES: DatabaseEngine = {
  name: "postgres",
  async createStore(content = EMPTY) {
    const database = await borrowCatalogDatabase();
    const { store, reopen, closeAll } = openable(() => openPostgres(database.url, PATIENT));
    await content(store);
    const execute = async (query: string, ...values: (string | Uint8Array)[]) => {
      const sql = new SQL(database.url, { max: 1 });
      await sql.unsafe("SET search_path = colophon");
      const rows = await sql.unsafe<{ value: unknown }[]>(query, values);
      await sql.close({ timeout: 0 });
      return rows;
    };
    return {
      store,
      reopen,
      async overwriteBody(isbn, body) {
        await execute("UPDATE record SET body = $1 WHERE isbn = $2", body, isbn);
      },
      async overwriteSummary(isbn, body) {
        await execute("UPDATE summary SET body = $1 WHERE isbn = $2", body, isbn);
      },
      async overwriteOrigin(isbn, origin) {
        await execute("UPDATE record SET origin = $1 WHERE isbn = $2", origin, isbn);
      },
      async runSql(sql) {
        await execute(sql);
      },
      queryValue: async (sql) => (await execute(sql))[0]?.value,
      inspect: () => inspectPostgres(database.url),
      async [Symbol.asyncDispose]() {
        await closeAll();
        await database[Symbol.asyncDispose]();
      },
    };
  },
};

/** A SQLite store that returns promises everywhere, as a remote engine does. It is faster than PostgreSQL. */
export const SQLITE_BEHIND_PROMISES: DatabaseEngine = {
  name: "sqlite behind promises",
  async createStore(content) {
    const created = await SQLITE.createStore(content);
    return {
      ...created,
      store: behindPromises(created.store),
      reopen: async () => behindPromises(await created.reopen()),
    };
  },
};

const isTested = ({ name }: Engine) => TESTED_ENGINES.includes(name);

export const ENGINES: readonly Engine[] = [SQLITE, SQLITE_BEHIND_PROMISES, POSTGRES].filter(isTested);
/** Those that differ in what they store. */
export const DATABASE_ENGINES: readonly DatabaseEngine[] = [SQLITE, POSTGRES].filter(isTested);

/** Opens a store once, and again on request. `closeAll` closes every opened store. */
function openable(open: () => Store) {
  const stores = [open()];
  return {
    store: stores[0]!,
    async reopen() {
      const store = open();
      stores.push(store);
      return store;
    },
    async closeAll() {
      for (const store of stores) await store.close();
    },
  };
}

function behindPromises(store: Store): Store {
  const wrapped = wrapStore(store, (method, name, kind) => {
    // Closing a snapshot returns nothing.
    if (name === "snapshot.close") return method;
    if (kind === "list") return (...args) => asynchronous(method(...args));
    return async (...args) => method(...args);
  });
  return { ...wrapped, lookupTransaction: undefined };
}

/** Yields each batch in a later event-loop tick. */
async function* asynchronous<T>(batches: Batches<T>): AsyncGenerator<readonly T[], void> {
  for await (const batch of batches) {
    await new Promise(setImmediate);
    yield batch;
  }
}
