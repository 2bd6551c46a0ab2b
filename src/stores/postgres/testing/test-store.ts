/** PostgreSQL stores for the tests of this folder, each in a database of its own. */
import type { Store } from "../../../catalog/store.ts";
import { openPostgres, type PostgresOptions } from "../store.ts";
import { createCatalogDatabase } from "./catalog-database.ts";
import type { TestDatabase } from "./database.ts";

export interface PostgresTestStore extends AsyncDisposable {
  readonly store: Store;
  readonly database: TestDatabase;
  /** Opens the same store again, as another process would. */
  reopen(options?: PostgresOptions, url?: string): Store;
}

/** Queries have a minute: a busy machine takes longer than the usual 1.5 seconds. */
export async function openTestStore(options: PostgresOptions = {}): Promise<PostgresTestStore> {
  const database = await createCatalogDatabase();
  const stores: Store[] = [];
  const reopen = (newOptions: PostgresOptions = options, url = database.url) => {
    const store = openPostgres(url, { queryTimeoutMs: 60_000, ...newOptions });
    stores.push(store);
    return store;
  };
  return {
    store: reopen(),
    database,
    reopen,
    async [Symbol.asyncDispose]() {
      for (const store of stores) await store.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** Returns the name and the message of the error that a call throws; "no error" when it succeeds. */
export async function errorOf(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  return "no error";
}
