/**
 * `bun peak-memory.program.ts RESULT COMMAND…`: runs it, and writes into RESULT how it ended and the most memory that it had.
 * A process of its own, and a small one: the system counts what the parent had when a child was started as the child's,
 * and a test runner has more than what is to be measured.
 */
import { writeFileSync } from "node:fs";
import type { PeakMemory } from "./peak-memory.ts";

const [, , result, ...command] = process.argv;
const child = Bun.spawn(command, { stdio: ["ignore", "inherit", "inherit"] });
const code = await child.exited;
const peak: PeakMemory = {
  code,
  signal: child.signalCode === null ? null : String(child.signalCode),
  bytes: Number(child.resourceUsage()!.maxRSS),
};
writeFileSync(result!, JSON.stringify(peak));
