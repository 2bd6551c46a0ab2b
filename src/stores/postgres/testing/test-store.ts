/** For the tests of this folder: stores, each on a database of its own. */

import type { Store } from "../../../catalog/store.ts";
import { migratePostgres, openPostgres, type PostgresOptions } from "../store.ts";
import { createDatabase, type TestDatabase } from "./server.ts";

export interface PostgresTestStore extends AsyncDisposable {
  readonly store: Store;
  readonly database: TestDatabase;
  /** Once more, as another process would. */
  reopen(options?: PostgresOptions, url?: string): Store;
}

export async function openTestStore(options: PostgresOptions = {}): Promise<PostgresTestStore> {
  const place = await createDatabase();
  await migratePostgres(place.url);
  const stores: Store[] = [];
  const again = (more: PostgresOptions = options, url = place.url) => {
    const store = openPostgres(url, more);
    stores.push(store);
    return store;
  };
  return {
    store: again(),
    database: place,
    reopen: again,
    async [Symbol.asyncDispose]() {
      for (const store of stores) await store.close();
      await place[Symbol.asyncDispose]();
    },
  };
}

/** What it is refused with. */
export async function errorOf(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  return "nothing";
}
