/** For the tests of this folder: stores, each on a database of its own. */

import type { Store } from "../../catalog/store.ts";
import { migratePostgres, openPostgres, type PostgresOptions } from "./store.ts";
import { type Database, database } from "./testing/server.ts";

export interface Opened extends AsyncDisposable {
  readonly store: Store;
  readonly place: Database;
  /** Once more, as another process would. */
  again(options?: PostgresOptions, url?: string): Store;
}

export async function opened(options: PostgresOptions = {}): Promise<Opened> {
  const place = await database();
  await migratePostgres(place.url);
  const stores: Store[] = [];
  const again = (more: PostgresOptions = options, url = place.url) => {
    const store = openPostgres(url, more);
    stores.push(store);
    return store;
  };
  return {
    store: again(),
    place,
    again,
    async [Symbol.asyncDispose]() {
      for (const store of stores) await store.close();
      await place[Symbol.asyncDispose]();
    },
  };
}

/** What it is refused with. */
export async function refusalOf(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  return "nothing";
}
