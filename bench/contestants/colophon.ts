import { join } from "node:path";
import { issueToken } from "../../src/api/auth/issue.ts";
import { openKeys } from "../../src/api/auth/keys.ts";
import { openSqlite } from "../../src/stores/sqlite/store.ts";
import { LARGEST } from "../catalog.ts";
import type { Contestant, Shelf, Start } from "../contestant.ts";
import { answers, freePort, pinned, treeOf } from "../processes.ts";

const SECRET = "a secret of the bench, long enough to be one";
const COMMAND = join(import.meta.dir, "../../bin/colophon");

export function colophon(workers: number): Start {
  return (shelf, cores) => start(shelf, cores, workers);
}

async function start(shelf: Shelf, cores: string, workers: number): Promise<Contestant> {
  const { url, headers, child } = await launch(shelf.database, cores, workers);
  await answers(`${url}/api/imprints`, headers);
  const pids = workers === 1 ? [child.pid] : treeOf(child.pid).filter((pid) => pid !== child.pid);
  return {
    name: workers === 1 ? "Colophon" : `Colophon, ${workers} workers`,
    url,
    headers,
    pids,
    paths: {
      isbn: (isbn) => `/api/isbn/${isbn}`,
      isbns: (isbns) => `/api/isbns/${isbns.join(",")}`,
      imprint: `/api/imprint/${LARGEST.slug}`,
      skus: "/api/skus",
      news: "/api/news",
    },
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

/** The real program. Not waited for: `answers` does that. */
export async function launch(database: string, cores: string, workers: number) {
  const port = freePort();
  const command = [
    COMMAND,
    "serve",
    "--db",
    database,
    "--port",
    String(port),
    "--workers",
    String(workers),
    "--log",
    "errors",
  ];
  const token = await tokenFor(database);
  const child = Bun.spawn(pinned(cores, command), {
    env: { ...process.env, COLOPHON_JWT_SECRET: SECRET },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
  });
  return { url: `http://127.0.0.1:${port}`, headers: { Authorization: `Bearer ${token}` }, child };
}

async function tokenFor(database: string): Promise<string> {
  const store = openSqlite(database);
  const keys = await openKeys({ secret: SECRET });
  const token = await issueToken({ keys, ledger: store.tokens, name: "Bench", days: 1 });
  await store.close();
  return token;
}
