/** The row for the import of a feed. */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { BenchOptions } from "../alternate.ts";
import { writeFeed } from "../import/feed.ts";
import { timeImport, timeXmllint } from "../import/timed-command.ts";
import { median } from "../median.ts";
import { compare, type ResultRow } from "../result-row.ts";

const PRODUCTS = 50_000;

/** Compares an import into a new catalog with xmllint, which only parses the feed. */
export async function importFeed({ workFolder, rounds }: BenchOptions): Promise<ResultRow> {
  const feed = join(workFolder, `feed-${PRODUCTS}.xml`);
  const database = join(workFolder, "import.db");
  if (!existsSync(feed)) await writeFeed(feed, PRODUCTS);
  const importSeconds: number[] = [];
  const xmllintSeconds: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const xmllint = await timeXmllint(feed);
    if (xmllint) xmllintSeconds.push(xmllint.seconds);
    importSeconds.push((await timeImport(database, feed)).seconds);
    for (const suffix of ["", "-wal", "-shm"]) rmSync(database + suffix, { force: true });
  }
  const values = [
    { label: "Colophon", value: PRODUCTS / median(importSeconds) },
    xmllintSeconds.length > 0
      ? { label: "xmllint", value: PRODUCTS / median(xmllintSeconds) }
      : { label: "xmllint", value: undefined, reason: "not installed" },
  ];
  const name = `import of ${PRODUCTS.toLocaleString("en")} products`;
  return compare(name, "products/s", values, "xmllint", { atLeast: 1 });
}
