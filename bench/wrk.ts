/** Load by wrk, on a core of its own. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Contestant } from "./contestant.ts";
import { cpuOf, has, pinned } from "./processes.ts";

export interface Load {
  /** What is asked for again and again; or a script that makes the target of each request. */
  readonly path?: string;
  readonly target?: string;
  readonly connections?: number;
  readonly seconds: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cores?: string;
}

export interface Measured {
  /** Per second. */
  readonly requests: number;
  readonly bytes: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of the server's CPU per request. */
  readonly cpu: number;
}

export function needsWrk(): string | undefined {
  return has("wrk") ? undefined : "install wrk (Debian: apt-get install wrk)";
}

export async function wrk(contestant: Contestant, folder: string, load: Load): Promise<Measured> {
  const script = join(folder, "wrk.lua");
  writeFileSync(script, scriptOf(load.target));
  const { connections = 64, seconds, cores = "1" } = load;
  const fields = Object.entries({ ...contestant.headers, ...load.headers });
  const headers = fields.flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const options = ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "30s", "-s", script, ...headers];
  const before = cpuOf(contestant.pids);
  const child = Bun.spawn(pinned(cores, ["wrk", ...options, contestant.url + (load.path ?? "/")]), {
    stdout: "pipe",
  });
  const output = await new Response(child.stdout).text();
  const cpu = cpuOf(contestant.pids) - before;
  const line = /RESULT (.*)/.exec(output)?.[1];
  if (line === undefined) throw new Error(`wrk said: ${output}`);
  const result = JSON.parse(line);
  if (result.failed > 0) throw new Error(`${contestant.name}: ${result.failed} requests failed`);
  const time = result.microseconds / 1e6;
  return {
    requests: result.requests / time,
    bytes: result.bytes / time,
    p50: result.p50 / 1000,
    p99: result.p99 / 1000,
    cpu: (cpu * 1e6) / Math.max(1, result.requests),
  };
}

/** Where every request is the same, wrk makes it once: a script that makes each would slow it down. */
function scriptOf(target: string | undefined): string {
  const requests = `
${target}
local rest
function init() math.randomseed(os.time()); rest = string.match(wrk.format("GET", "/"), "^GET /( .*)$") end
function request() return "GET " .. target() .. rest end`;
  return `${target === undefined ? "" : requests}
function done(summary, latency)
  local e = summary.errors
  print(string.format('RESULT {"requests":%d,"bytes":%d,"microseconds":%d,"p50":%d,"p99":%d,"failed":%d}',
    summary.requests, summary.bytes, summary.duration, latency:percentile(50), latency:percentile(99),
    e.connect + e.read + e.write + e.status + e.timeout))
end
`;
}

/** Lua: the target of one of all records, at random; or of so many at once. */
export function randomTarget(contestant: Contestant, records: number, many?: number): string {
  const mark = "@";
  const { isbn, isbns } = contestant.paths;
  const template = many === undefined ? isbn(mark) : isbns!([mark]);
  const [before, behind] = template.split(mark);
  const one = `string.format("9788%09d", math.random(0, ${records - 1}))`;
  if (many === undefined) return `function target() return '${before}' .. ${one} .. '${behind}' end`;
  return `function target()
  local t = {}
  for i = 1, ${many} do t[i] = ${one} end
  return '${before}' .. table.concat(t, ",") .. '${behind}'
end`;
}
