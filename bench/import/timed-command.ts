import { join } from "node:path";

const COLOPHON = join(import.meta.dir, "../../bin/colophon");

export interface TimedRun {
  readonly seconds: number;
  readonly peakMB: number;
  readonly stdout: string;
}

/** Runs a command to its end and measures wall time and peak memory. Throws when the command fails. */
export async function timeCommand(command: readonly string[]): Promise<TimedRun> {
  const start = performance.now();
  const child = Bun.spawn([...command], { stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} has failed: ${stderr}`);
  const seconds = (performance.now() - start) / 1000;
  return { seconds, peakMB: Number(child.resourceUsage()!.maxRSS) / (1 << 20), stdout };
}

/** Imports a feed into the SQLite catalog at `databasePath`, which is created when it does not exist. */
export function timeImport(databasePath: string, feedPath: string): Promise<TimedRun> {
  return timeCommand([COLOPHON, "import", "--db", databasePath, feedPath]);
}

/** Parses a feed with libxml2 and does nothing else with it. Returns undefined when xmllint is not installed. */
export async function timeXmllint(feedPath: string): Promise<TimedRun | undefined> {
  if (!Bun.which("xmllint")) return undefined;
  return await timeCommand(["xmllint", "--stream", "--noout", feedPath]);
}
