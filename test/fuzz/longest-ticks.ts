/** Measures how long requests with a token hold the event loop, for all endpoints. */
import { join } from "node:path";

/** docs/security.md. */
export const MAX_TICK_MS = 5;

export interface LongestTicks {
  /** Of the request. */
  readonly title: string;
  /** The processor time of its longest tick: the least of several runs when the first one takes more than `MAX_TICK_MS`. */
  readonly ms: number;
}

/** Measures `hostileRequests` in a process of its own, until some are too slow. Returns the slowest first. */
export async function measureLongestTicks(size: "short" | "all"): Promise<readonly LongestTicks[]> {
  const program = join(import.meta.dir, "longest-ticks.program.ts");
  const child = Bun.spawn([process.execPath, program, size], { stdio: ["ignore", "pipe", "inherit"] });
  const output = await child.stdout.text();
  if ((await child.exited) !== 0) throw new Error("the requests with a token could not be measured");
  return (JSON.parse(output) as LongestTicks[]).sort((a, b) => b.ms - a.ms);
}
