/** Runs commands to their end and measures them. */
import { join } from "node:path";

const COLOPHON = join(import.meta.dir, "../../bin/colophon");
/** The exit code of an import that has rejected some products. */
const SOME_REJECTED = 3;

export interface TimedRun {
  readonly seconds: number;
  readonly peakMB: number;
  readonly stdout: string;
}

/** Measures wall time and peak memory. Throws when the command ends with an unexpected exit code. */
export async function timeCommand(
  command: readonly string[],
  exitCodes: readonly number[] = [0],
): Promise<TimedRun> {
  const start = performance.now();
  const child = Bun.spawn([...command], { stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const exitCode = await child.exited;
  const seconds = (performance.now() - start) / 1000;
  if (!exitCodes.includes(exitCode))
    throw new Error(`${command.join(" ")} has failed: ${stderr.slice(-2000)}`);
  return { seconds, peakMB: Number(child.resourceUsage()!.maxRSS) / (1 << 20), stdout };
}

/** Imports a feed into the SQLite catalog at `databasePath`, which is created when it does not exist. */
export function timeImport(databasePath: string, feedPath: string): Promise<TimedRun> {
  return timeCommand([COLOPHON, "import", "--db", databasePath, feedPath], [0, SOME_REJECTED]);
}

/** Parses a feed with libxml2 and does nothing else with it. */
export function timeXmllint(feedPath: string): Promise<TimedRun> {
  return timeCommand(["xmllint", "--stream", "--noout", "--nonet", feedPath]);
}
