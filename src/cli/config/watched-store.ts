import type { WatchedStore } from "../../ingest/watch/feed-taker.ts";
import { openStore, requireCatalog } from "./store-location.ts";

/** Opens a store for many imports. Creates the catalog where there is none, as `import` does. */
export async function openWatchedStore(location: string): Promise<WatchedStore> {
  await requireCatalog(location, true, "");
  return openStore(location, { create: true });
}
