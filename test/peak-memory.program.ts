/**
 * `bun peak-memory.program.ts RESULT COMMAND…`: runs the command and writes its exit code and peak memory to RESULT.
 *
 * It is a small process of its own because the system counts the memory of the parent at the time of the fork as the
 * child's, and a test runner has more than the command under test.
 */
import { writeFileSync } from "node:fs";
import type { PeakMemory } from "./peak-memory.ts";

const [, , result, ...command] = process.argv;
const child = Bun.spawn(command, { stdio: ["ignore", "inherit", "inherit"] });
const code = await child.exited;
const measured: PeakMemory = {
  code,
  signal: child.signalCode === null ? null : String(child.signalCode),
  peakBytes: Number(child.resourceUsage()!.maxRSS),
  cpuSeconds: Number(child.resourceUsage()!.cpuTime.total) / 1e6,
};
writeFileSync(result!, JSON.stringify(measured));
