/**
 * `npm run bench:import [PRODUCTS]`: an import beside a program that only parses, on the same file in the same run.
 * Ratios are of wall times; what is above 1 is faster than `xmllint --stream --noout`.
 *
 * The feed is as tidy as feeds should be: all of its products take the fast way (`src/onix/fast`). Of the 194 products
 * of real feeds in our test material 80 do; of the others, 91 are rejected, updates or deletions, and 22 need a remark.
 * These, and every feed with a prefix, are read at a fifth to a seventh of this speed.
 */
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeFeed } from "./feed.ts";

const LARGE = Number(process.argv[2] ?? 1_000_000);
const SMALL = Math.min(10_000, LARGE);
const COLOPHON = join(import.meta.dir, "../../bin/colophon");

interface Run {
  readonly seconds: number;
  readonly peakMB: number;
  readonly said: string;
}

/** Wall time and most memory of a command, which must succeed. */
async function timed(command: readonly string[]): Promise<Run> {
  const started = performance.now();
  const child = Bun.spawn([...command], { stdout: "pipe", stderr: "ignore" });
  const said = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} has failed`);
  const seconds = (performance.now() - started) / 1000;
  return { seconds, peakMB: Number(child.resourceUsage()!.maxRSS) / (1 << 20), said };
}

function report(name: string, value: number, goal: string, isReached: boolean): void {
  console.log(
    `${isReached ? "reached" : "MISSED "}  ${name.padEnd(58)} ${value.toFixed(2).padStart(8)}   goal ${goal}`,
  );
}

function shown(name: string, { seconds, peakMB }: Run, products: number): void {
  const rate = Math.round(products / seconds).toLocaleString("en-US");
  console.log(
    `${name.padEnd(44)} ${seconds.toFixed(2).padStart(8)} s ${rate.padStart(9)}/s ${peakMB.toFixed(0).padStart(6)} MB`,
  );
}

const folder = mkdtempSync(join(process.env.BENCH_FOLDER ?? tmpdir(), "colophon-bench-"));
try {
  const [small, large] = [join(folder, "small.xml"), join(folder, "large.xml")];
  const catalog = (name: string) => join(folder, `${name}.db`);
  const load = (name: string, feed: string) => timed([COLOPHON, "import", "--db", catalog(name), feed]);
  await writeFeed(small, SMALL);
  await writeFeed(large, LARGE);
  const bytes = statSync(large).size;
  console.log(
    `${LARGE.toLocaleString("en-US")} products, ${(bytes / 1e9).toFixed(2)} GB, ${Math.round(bytes / LARGE)} bytes each\n`,
  );

  const smallRun = await load("small", small);
  shown(`import of ${SMALL.toLocaleString("en-US")}`, smallRun, SMALL);
  const parser = Bun.which("xmllint") ? await timed(["xmllint", "--stream", "--noout", large]) : undefined;
  if (parser) shown("xmllint --stream --noout", parser, LARGE);
  else console.log("xmllint is missing: apt-get install libxml2-utils");
  const first = await load("large", large);
  shown("import", first, LARGE);
  console.log(`  ${first.said.trim()}`);
  const again = await load("large", large);
  shown("import again, all unchanged", again, LARGE);
  console.log(`  ${again.said.trim()}\n`);

  if (parser)
    report(
      "speed beside xmllint, which only parses",
      parser.seconds / first.seconds,
      ">= 1.0",
      parser.seconds >= first.seconds,
    );
  report("most memory, MB", first.peakMB, "< 300", first.peakMB < 300);
  const growth = first.peakMB / smallRun.peakMB;
  report(`memory at ${LARGE} against ${SMALL}`, growth, "<= 1.2", growth <= 1.2);
  const pace = LARGE / first.seconds / (SMALL / smallRun.seconds);
  report(`rate at ${LARGE} against ${SMALL}`, pace, ">= 0.8", pace >= 0.8);
  const repeat = first.seconds / again.seconds;
  report("the same again against the first", repeat, ">= 1.0", repeat >= 1);
} finally {
  if (existsSync(folder)) rmSync(folder, { recursive: true });
}
