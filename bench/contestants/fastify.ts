/** What one would write first: Fastify and SQLite, a table with the record as JSON, parsed and serialised. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { LARGEST } from "../catalog.ts";
import type { Contestant, Shelf } from "../contestant.ts";
import { answers, freePort, pinned } from "../processes.ts";
import { installed } from "./npm.ts";

export async function fastify(shelf: Shelf, cores: string): Promise<Contestant> {
  const home = await installed(shelf.folder);
  const program = join(home, "fastify.server.mjs");
  copyFileSync(join(import.meta.dir, "fastify.server.mjs"), program);
  const port = freePort();
  const child = Bun.spawn(pinned(cores, ["node", program, shelf.database, String(port)]), {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  await answers(`${url}/api/ready`, {});
  return {
    name: "Fastify + SQLite",
    url,
    headers: {},
    pids: [child.pid],
    paths: {
      isbn: (isbn) => `/api/isbn/${isbn}`,
      isbns: (isbns) => `/api/isbns/${isbns.join(",")}`,
      imprint: `/api/imprint/${LARGEST.slug}`,
      skus: "/api/skus",
      news: "/api/news",
    },
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}
