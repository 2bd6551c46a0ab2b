/** Generates load with wrk, on a core of its own. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLIENT_CORE, cpuSecondsOf, pinnedTo } from "./processes.ts";
import type { ServerUnderTest } from "./servers/server.ts";

export interface WrkOptions {
  /** The path of every request. Without it, `luaTarget` makes the paths. */
  readonly path?: string;
  /** Lua code that defines `target()`, which returns the path of the next request. */
  readonly luaTarget?: string;
  readonly connections?: number;
  /** The cores of the client, with a thread on each. Without them, the client runs on the core that no server uses. */
  readonly cores?: string;
  readonly seconds: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface WrkResult {
  readonly requestsPerSecond: number;
  readonly bytesPerSecond: number;
  readonly p99Ms: number;
  /** CPU time of the server per request. */
  readonly cpuMicroseconds: number;
}

export async function wrk(
  server: ServerUnderTest,
  workFolder: string,
  options: WrkOptions,
): Promise<WrkResult> {
  const script = join(workFolder, "wrk.lua");
  writeFileSync(script, luaScript(options.luaTarget));
  const { connections = 64, seconds, path = "/", cores = CLIENT_CORE } = options;
  const headers = wrkHeaders({ ...server.headers, ...options.headers });
  const threads = `-t${cores.split(",").length}`;
  const flags = [threads, `-c${connections}`, `-d${seconds}s`, "--timeout", "30s", "-s", script, ...headers];
  const cpuBefore = cpuSecondsOf(server.pids);
  const child = Bun.spawn(pinnedTo(cores, ["wrk", ...flags, server.url + path]), { stdout: "pipe" });
  const output = await new Response(child.stdout).text();
  const cpuSeconds = cpuSecondsOf(server.pids) - cpuBefore;
  const line = /RESULT (.*)/.exec(output)?.[1];
  if (line === undefined) throw new Error(`wrk has printed no result: ${output}`);
  const result = JSON.parse(line);
  if (result.failed > 0) throw new Error(`${server.name}: ${result.failed} requests have failed`);
  const elapsedSeconds = result.microseconds / 1e6;
  return {
    requestsPerSecond: result.requests / elapsedSeconds,
    bytesPerSecond: result.bytes / elapsedSeconds,
    p99Ms: result.p99 / 1000,
    cpuMicroseconds: (cpuSeconds * 1e6) / Math.max(1, result.requests),
  };
}

export function wrkHeaders(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
}

/** Returns the script for wrk. Without `luaTarget`, wrk reuses one request: building each one would slow it down. */
function luaScript(luaTarget: string | undefined): string {
  const requests = `
${LUA_ISBN}
${luaTarget}
local threads, rest = 0
function setup(thread) thread:set("number", threads); threads = threads + 1 end
function init() math.randomseed(os.time() + number * 7919); rest = string.match(wrk.format("GET", "/"), "^GET /( .*)$") end
function request() return "GET " .. target() .. rest end`;
  return `${luaTarget === undefined ? "" : requests}
function done(summary, latency)
  local e = summary.errors
  print(string.format('RESULT {"requests":%d,"bytes":%d,"microseconds":%d,"p99":%d,"failed":%d}',
    summary.requests, summary.bytes, summary.duration, latency:percentile(99),
    e.connect + e.read + e.write + e.status + e.timeout))
end
`;
}

/** Returns Lua code that requests one record at random. */
export function randomRecordTarget({ paths }: ServerUnderTest, records: number): string {
  const [before, after] = paths.isbn("@").split("@");
  return `function target() return '${before}' .. ${randomIsbn(records)} .. '${after}' end`;
}

/** Returns Lua code that requests `count` records at random in one call. */
export function randomRecordsTarget({ paths }: ServerUnderTest, records: number, count: number): string {
  const [before, after] = paths.isbns!(["@"]).split("@");
  return `function target()
  local isbns = {}
  for i = 1, ${count} do isbns[i] = ${randomIsbn(records)} end
  return '${before}' .. table.concat(isbns, ",") .. '${after}'
end`;
}

/** Returns a Lua expression for the ISBN of a random record. */
function randomIsbn(records: number): string {
  return `isbn(math.random(0, ${records - 1}))`;
}

/** A Lua function that returns the ISBN at an index, as `isbnAt` does: the sum of 9788 is 62, weights alternate. */
const LUA_ISBN = `function isbn(index)
  local sum, rest, weight = 62, index, 3
  while rest > 0 do
    sum = sum + rest % 10 * weight
    rest = math.floor(rest / 10)
    weight = 4 - weight
  end
  return string.format("9788%08d%d", index, (10 - sum % 10) % 10)
end`;
