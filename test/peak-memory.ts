/** The most memory that a command had. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface PeakMemory {
  readonly code: number;
  /** That ended it, if one did. */
  readonly signal: string | null;
  readonly bytes: number;
}

export async function measurePeakMemory(
  command: readonly string[],
): Promise<PeakMemory & { readonly stdout: string; readonly stderr: string }> {
  const folder = mkdtempSync(join(tmpdir(), "colophon-peak-"));
  try {
    const result = join(folder, "result.json");
    const program = join(import.meta.dir, "peak-memory.program.ts");
    const child = Bun.spawn([process.execPath, program, result, ...command], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { ...(JSON.parse(readFileSync(result, "utf8")) as PeakMemory), stdout, stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
