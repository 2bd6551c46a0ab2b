/** Measures sizes of the catalog one after another, and writes the figures and charts. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BenchOptions } from "../alternate.ts";
import { createCatalog, hasCatalog, removeCatalog } from "../catalog-files.ts";
import { replaceSection } from "../results/write-results.ts";
import { drawGrowth } from "./charts.ts";
import { type GrowthPoint, withPoint } from "./growth-point.ts";
import { growthTable } from "./growth-table.ts";
import { measureSize } from "./measure-size.ts";

/**
 * Writes performance-growth.json and .svg, and the section in performance.md, after each size. Sizes that the file has
 * from earlier runs stay. A catalog that this run has made is removed before the next one, unless `keep` is set.
 */
export async function runGrowth(
  folder: string,
  sizes: readonly number[],
  options: BenchOptions,
  { keep }: { keep: boolean },
): Promise<void> {
  for (const records of sizes) {
    const isOwn = !hasCatalog(options.workFolder, records);
    const { catalog, importCost } = await createCatalog(options.workFolder, records, {
      hasStaticFiles: false,
    });
    write(folder, await measureSize(catalog, importCost, options));
    if (isOwn && !keep) removeCatalog(catalog);
  }
}

function write(folder: string, point: GrowthPoint): void {
  const path = join(folder, "performance-growth.json");
  const before: GrowthPoint[] = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : [];
  const points = withPoint(before, point);
  writeFileSync(path, `${JSON.stringify(points, null, 1)}\n`);
  writeFileSync(join(folder, "performance-growth.svg"), drawGrowth(points));
  replaceSection(join(folder, "performance.md"), "growth", `${growthTable(points)}\n`);
  console.log(growthTable([point]));
}
