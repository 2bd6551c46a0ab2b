/** `npm run soak [-- --minutes 60]`: runs the soak, and writes its table into docs/reliability.md when nothing is wrong. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { quarterP99, quarterPeaks, replaceSoakSection, soakSection } from "./report.ts";
import { runSoak } from "./soak.ts";

const { values } = parseArgs({ args: process.argv.slice(2), options: { minutes: { type: "string" } } });
const minutes = Number(values.minutes ?? 60);
if (!(minutes > 0)) throw new Error("--minutes needs a positive number");

const result = await runSoak({ seconds: minutes * 60, onProgress: (text) => console.log(text) });
const { counts, damage, exitCode, samples } = result;
console.log(JSON.stringify({ ...counts, exitCode, damage }, null, 2));
for (const name of ["residentBytes", "descriptors", "logBytes"] as const) {
  console.log(
    name,
    quarterPeaks(samples, (sample) => sample[name]),
  );
}
console.log("p99 of lookups, ms", quarterP99(result));
if (counts.wrong.length > 0 || damage !== undefined || exitCode !== 0) process.exit(1);

const page = join(import.meta.dir, "../../docs/reliability.md");
writeFileSync(page, replaceSoakSection(readFileSync(page, "utf8"), soakSection(result)));
