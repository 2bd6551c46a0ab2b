/**
 * `npm run bench:import [-- PRODUCTS]`: compares an import with `xmllint --stream --noout`, which only parses, on the
 * same feed. Ratios are of wall times: above 1, the import is faster.
 *
 * All products of the generated feed take the fast path of the reader. Products that need a correction or a remark,
 * updates, deletions, and feeds with a namespace prefix take the general path at a fifth to a seventh of this speed.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeFeed } from "./feed.ts";
import { type TimedRun, timeImport, timeXmllint } from "./timed-command.ts";

const LARGE = Number(process.argv[2] ?? 1_000_000);
const SMALL = Math.min(10_000, LARGE);
const MAX_MEMORY_MB = 300;

const folder = mkdtempSync(join(process.env.BENCH_FOLDER ?? tmpdir(), "colophon-bench-"));
try {
  const [smallFeed, largeFeed] = [join(folder, "small.xml"), join(folder, "large.xml")];
  const [smallDatabase, largeDatabase] = [join(folder, "small.db"), join(folder, "large.db")];
  await writeFeed(smallFeed, SMALL);
  await writeFeed(largeFeed, LARGE);
  const bytes = statSync(largeFeed).size;
  console.log(
    `${formatCount(LARGE)} products, ${(bytes / 1e9).toFixed(2)} GB, ${Math.round(bytes / LARGE)} bytes each\n`,
  );

  const small = await timeImport(smallDatabase, smallFeed);
  printRun(`import of ${formatCount(SMALL)}`, small, SMALL);
  const xmllint = await timeXmllint(largeFeed);
  if (xmllint) printRun("xmllint --stream --noout", xmllint, LARGE);
  else console.log("xmllint is missing: apt-get install libxml2-utils");
  const first = await timeImport(largeDatabase, largeFeed);
  printRun("import", first, LARGE);
  console.log(`  ${first.stdout.trim()}`);
  const repeated = await timeImport(largeDatabase, largeFeed);
  printRun("import again, all unchanged", repeated, LARGE);
  console.log(`  ${repeated.stdout.trim()}\n`);

  if (xmllint) printGoal("speed relative to xmllint", xmllint.seconds / first.seconds, { atLeast: 1 });
  printGoal("peak memory, MB", first.peakMB, { atMost: MAX_MEMORY_MB });
  const sizes = `${formatCount(LARGE)} relative to ${formatCount(SMALL)}`;
  printGoal(`peak memory at ${sizes}`, first.peakMB / small.peakMB, { atMost: 1.2 });
  printGoal(`rate at ${sizes}`, LARGE / first.seconds / (SMALL / small.seconds), { atLeast: 0.8 });
  printGoal("speed of the repeated import", first.seconds / repeated.seconds, { atLeast: 1 });
} finally {
  rmSync(folder, { recursive: true });
}

function printRun(name: string, { seconds, peakMB }: TimedRun, products: number): void {
  const rate = formatCount(Math.round(products / seconds));
  console.log(
    `${name.padEnd(44)} ${seconds.toFixed(2).padStart(8)} s ${rate.padStart(9)}/s ${peakMB.toFixed(0).padStart(6)} MB`,
  );
}

function printGoal(name: string, value: number, goal: { atLeast: number } | { atMost: number }): void {
  const isReached = "atLeast" in goal ? value >= goal.atLeast : value <= goal.atMost;
  const limit = "atLeast" in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`;
  const result = isReached ? "reached" : "MISSED ";
  console.log(`${result}  ${name.padEnd(58)} ${value.toFixed(2).padStart(8)}   goal ${limit}`);
}

function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}
