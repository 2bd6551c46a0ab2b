/** Measures the peak memory of a command. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CommandResult, runProgram } from "./process.ts";

export interface PeakMemory {
  readonly code: number;
  /** The signal that ended the command, or null. */
  readonly signal: string | null;
  /** The largest resident set size. */
  readonly peakBytes: number;
  /** The processor time of all threads. */
  readonly cpuSeconds: number;
}

export async function measurePeakMemory(command: readonly string[]): Promise<PeakMemory & CommandResult> {
  const folder = mkdtempSync(join(tmpdir(), "colophon-peak-"));
  try {
    const result = join(folder, "result.json");
    const program = join(import.meta.dir, "peak-memory.program.ts");
    const output = await runProgram([process.execPath, program, result, ...command]);
    return { ...output, ...(JSON.parse(readFileSync(result, "utf8")) as PeakMemory) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
