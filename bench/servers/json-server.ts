/** json-server: serves one JSON file, which it holds in memory. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LARGEST_IMPRINT } from "../catalog-feed.ts";
import { freePort, pinnedTo, waitUntilReady } from "../processes.ts";
import type { CatalogFiles, ServerUnderTest } from "../server-under-test.ts";
import { npmFolder } from "./npm-packages.ts";

const MAX_RECORDS = 10_000;

export async function jsonServer(
  { records, staticFolder, workFolder }: CatalogFiles,
  cores: string,
): Promise<ServerUnderTest> {
  if (records > MAX_RECORDS) throw new Error(`holds all records in memory; measured with ${MAX_RECORDS}`);
  const folder = await npmFolder(workFolder);
  const file = join(workFolder, `json-server-${records}.json`);
  if (!existsSync(file)) writeJsonFile(file, join(staticFolder, "api/isbn"));
  const port = freePort();
  const program = join(folder, "node_modules/.bin/json-server");
  const options = ["--quiet", "--port", String(port), "--host", "127.0.0.1"];
  const child = Bun.spawn(pinnedTo(cores, [program, ...options, file]), {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntilReady(`${url}/isbn?_limit=1`, {});
  return {
    name: "json-server",
    url,
    headers: {},
    pids: [child.pid],
    paths: { isbn: (isbn) => `/isbn/${isbn}`, imprint: `/isbn?imprint=${LARGEST_IMPRINT.slug}` },
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

function writeJsonFile(path: string, isbnFolder: string): void {
  const isbn = readdirSync(isbnFolder).map((id) => {
    const record = JSON.parse(readFileSync(join(isbnFolder, id), "utf8"));
    const isOfLargest = record.PublishingDetail.Imprint[0].ImprintName === LARGEST_IMPRINT.name;
    return { id, imprint: isOfLargest ? LARGEST_IMPRINT.slug : "other", ...record };
  });
  writeFileSync(path, JSON.stringify({ isbn }));
}
