/** Fastify with SQLite: one table of JSON records, parsed and serialised for each response. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { LARGEST_IMPRINT } from "../catalog-feed.ts";
import { freePort, pinnedTo, waitUntilReady } from "../processes.ts";
import type { CatalogFiles, ServerUnderTest } from "../server-under-test.ts";
import { npmFolder } from "./npm-packages.ts";

export async function fastify(catalog: CatalogFiles, cores: string): Promise<ServerUnderTest> {
  const app = join(await npmFolder(catalog.workFolder), "fastify-app.mjs");
  // The copy finds its packages in the node_modules beside it.
  copyFileSync(join(import.meta.dir, "fastify-app.mjs"), app);
  const port = freePort();
  const child = Bun.spawn(pinnedTo(cores, ["node", app, catalog.databasePath, String(port)]), {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntilReady(`${url}/api/ready`, {});
  return {
    name: "Fastify + SQLite",
    url,
    headers: {},
    pids: [child.pid],
    paths: {
      isbn: (isbn) => `/api/isbn/${isbn}`,
      isbns: (isbns) => `/api/isbns/${isbns.join(",")}`,
      imprint: `/api/imprint/${LARGEST_IMPRINT.slug}`,
      skus: "/api/skus",
      news: "/api/news",
    },
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}
