/** The tool that many try first: a JSON file in memory. It has all of it in memory, so only small catalogs fit. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { entriesOf, LARGEST } from "../catalog.ts";
import type { Contestant, Shelf } from "../contestant.ts";
import { answers, freePort, pinned } from "../processes.ts";
import { installed } from "./npm.ts";

const MOST_RECORDS = 10_000;

export async function jsonServer(shelf: Shelf, cores: string): Promise<Contestant> {
  if (shelf.records > MOST_RECORDS) throw new Error(`it keeps all in memory; measured with ${MOST_RECORDS}`);
  const home = await installed(shelf.folder);
  const file = join(shelf.folder, `json-server-${shelf.records}.json`);
  if (!existsSync(file)) {
    const isbn = Array.from(entriesOf(shelf.records), (entry) => ({
      id: entry.isbn,
      imprint: entry.imprint?.slug,
      ...JSON.parse(Buffer.from(entry.body).toString()),
    }));
    writeFileSync(file, JSON.stringify({ isbn }));
  }
  const port = freePort();
  const program = join(home, "node_modules/.bin/json-server");
  const options = ["--quiet", "--port", String(port), "--host", "127.0.0.1"];
  const child = Bun.spawn(pinned(cores, [program, ...options, file]), {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  await answers(`${url}/isbn?_limit=1`, {});
  return {
    name: "json-server",
    url,
    headers: {},
    pids: [child.pid],
    paths: { isbn: (isbn) => `/isbn/${isbn}`, imprint: `/isbn?imprint=${LARGEST.slug}` },
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}
