/** The row for the import of a feed. `npm run bench:import` measures feeds of many forms. */
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { BenchOptions } from "../alternate.ts";
import { measureRow } from "../import/measure-row.ts";
import { GENERATED_ROWS } from "../import/rows.ts";
import { isInstalled } from "../processes.ts";
import { compare, type ResultRow } from "../result-row.ts";

const PRODUCTS = 50_000;
const XMLLINT = "xmllint";

/** Compares an import into a new catalog with xmllint, which only parses the feed. */
export async function importFeed({ workFolder, rounds }: BenchOptions): Promise<ResultRow> {
  const name = `import of ${PRODUCTS.toLocaleString("en")} products`;
  const tidy = GENERATED_ROWS.find(({ id }) => id === "tidy")!;
  const goal = { atLeast: tidy.goal };
  if (!isInstalled(XMLLINT)) {
    const values = [{ label: XMLLINT, value: undefined, reason: "not installed" }];
    return { name, unit: "products/s", values, goal };
  }
  const folder = mkdtempSync(join(workFolder, "import-"));
  const { importSeconds, xmllintSeconds } = await measureRow(tidy, { folder, products: PRODUCTS, rounds });
  rmSync(folder, { recursive: true });
  const values = [
    { label: "Colophon", value: PRODUCTS / importSeconds },
    { label: XMLLINT, value: PRODUCTS / xmllintSeconds },
  ];
  return compare(name, "products/s", values, XMLLINT, goal);
}
