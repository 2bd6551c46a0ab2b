/**
 * Clients in a process of their own: `clients.ts KIND URL PATH HEADERS [NUMBER …]`. HEADERS is a JSON object. A load
 * that goes on until it is killed prints "ready" when all of its connections are open.
 */
import { connect, type Socket } from "node:net";
import { median } from "./measure.ts";
import { CLIENT_CORE, pinnedTo } from "./processes.ts";
import type { ServerUnderTest } from "./servers/server.ts";
import { searchQueries } from "./vocabulary.ts";

const FIRST_BYTE_REQUESTS = { warmUp: 10, measured: 50 };
/** Connecting in steps keeps the listen queue of the server short. */
const CONNECT_STEP = 100;
const BYTE_INTERVAL_MS = 1000;
const SLOW_BYTES_PER_SECOND = 10_000;

/** What `searches` prints as JSON. */
export interface SearchResult {
  /** Ascending. */
  readonly latenciesMs: readonly number[];
  readonly statuses: Readonly<Record<string, number>>;
  readonly seconds: number;
  /** The slowest queries. */
  readonly slowest: readonly (readonly [ms: number, query: string])[];
}

interface Target {
  readonly url: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

const KINDS = {
  /** Prints the median milliseconds from the request to the first byte of the response. */
  async "first-byte"(target: Target) {
    const timesMs: number[] = [];
    const { warmUp, measured } = FIRST_BYTE_REQUESTS;
    for (let count = 0; count < warmUp + measured; count++) timesMs.push(await firstByteMs(target));
    console.log(median(timesMs.slice(warmUp)));
  },
  /** Opens COUNT connections that read the response at 10 kB/s each, for SECONDS. */
  async "slow-readers"(target: Target, count: number, seconds: number) {
    setTimeout(() => process.exit(0), seconds * 1000);
    await openConnections(target, count, (socket) => requestAndReadSlowly(target, socket));
  },
  /** Opens 2,000 idle connections, 500 that send a byte of the request per second, and 500 that read at 10 kB/s. */
  async "idle-and-slow"(target: Target, seconds: number) {
    await openConnections(target, 2000, () => {});
    await openConnections(target, 500, (socket) => sendSlowly(target, socket));
    await openConnections(target, 500, (socket) => requestAndReadSlowly(target, socket));
    console.log("ready");
    setTimeout(() => process.exit(0), seconds * 1000);
  },
  /** Opens COUNT connections, requests the list on all of them at once after the delay, and reads the lists. */
  async "starting-lists"(target: Target, count: number, delayMs: number) {
    const sockets: Socket[] = [];
    await openConnections(target, count, (socket) => {
      socket.on("data", () => {});
      sockets.push(socket);
    });
    console.log("ready");
    await Bun.sleep(delayMs);
    // The API ignores the query, but the response cache does not.
    for (const [index, socket] of sockets.entries())
      socket.write(requestOf(target, `?reader=${process.pid}-${index}`));
  },
  /** Searches as CLIENTS readers do, each one query after the other, and prints a `SearchResult`. */
  async searches({ url, path, headers }: Target, clients: number, count: number, seed: number, change = 0) {
    const queries = searchQueries(count, seed).map(CHANGES[change]!);
    const measured: [number, string][] = [];
    const statuses: Record<string, number> = {};
    const start = performance.now();
    let next = 0;
    const read = async () => {
      while (next < queries.length) {
        const query = queries[next++]!;
        const startedMs = performance.now();
        const response = await fetch(url + path + encodeURIComponent(query), { headers });
        await response.bytes();
        measured.push([performance.now() - startedMs, query]);
        statuses[response.status] = (statuses[response.status] ?? 0) + 1;
      }
    };
    console.log("ready");
    await Promise.all(Array.from({ length: clients }, read));
    measured.sort(([a], [b]) => a - b);
    const seconds = (performance.now() - start) / 1000;
    const latenciesMs = measured.map(([ms]) => ms);
    const result: SearchResult = { latenciesMs, statuses, seconds, slowest: measured.slice(-5) };
    console.log(JSON.stringify(result));
  },
};

/** The text that is typed for a query: all of it, its first half, or all with two letters of its longest word exchanged. */
const CHANGES: readonly ((query: string) => string)[] = [
  (query) => query,
  (query) => query.slice(0, Math.max(2, Math.ceil(query.length / 2))),
  (query) => {
    const longest = query.split(" ").reduce((best, word) => (word.length > best.length ? word : best), "");
    return query.replace(longest, longest[0] + (longest[2] ?? "") + (longest[1] ?? "") + longest.slice(3));
  },
];

/** Starts a client on its core, or on any one. */
export function startClient(
  kind: keyof typeof KINDS,
  { url, headers }: Pick<ServerUnderTest, "url" | "headers">,
  path: string,
  numbers: readonly number[] = [],
  cores: string | undefined = CLIENT_CORE,
) {
  const command = [process.execPath, import.meta.path, kind, url, path, JSON.stringify(headers)];
  return Bun.spawn(pinnedTo(cores, [...command, ...numbers.map(String)]), { stdout: "pipe" });
}

/** Starts a client, and waits until its load has begun. */
export async function startLoad(...args: Parameters<typeof startClient>): Promise<Bun.Subprocess> {
  const client = startClient(...args);
  await client.stdout.getReader().read();
  return client;
}

function requestOf({ url, path, headers }: Target, query = ""): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path}${query} HTTP/1.1\r\nHost: ${new URL(url).hostname}\r\n${fields.join("")}\r\n`;
}

async function openConnections(
  target: Target,
  count: number,
  onConnect: (socket: Socket) => void,
): Promise<void> {
  for (let open = 0; open < count; open += CONNECT_STEP) {
    const step = Math.min(CONNECT_STEP, count - open);
    await Promise.all(Array.from({ length: step }, () => openConnection(target, onConnect)));
  }
}

function openConnection(target: Target, onConnect: (socket: Socket) => void): Promise<void> {
  const { hostname, port } = new URL(target.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      onConnect(socket);
      resolve();
    });
    socket.on("error", () => {});
  });
}

async function firstByteMs(target: Target): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  await openConnection(target, (socket) => {
    const sentAt = performance.now();
    socket.write(requestOf(target));
    socket.once("data", () => {
      resolve(performance.now() - sentAt);
      socket.destroy();
    });
    socket.once("error", reject);
  });
  return promise;
}

function sendSlowly(target: Target, socket: Socket): void {
  const request = requestOf(target);
  let sent = 0;
  const timer = setInterval(() => socket.write(request[sent++ % request.length]!), BYTE_INTERVAL_MS);
  // The server closes slow connections after its timeout. The client connects again.
  socket.on("close", () => {
    clearInterval(timer);
    void openConnection(target, (again) => sendSlowly(target, again));
  });
}

function requestAndReadSlowly(target: Target, socket: Socket): void {
  socket.write(requestOf(target));
  socket.on("data", (chunk) => {
    socket.pause();
    setTimeout(() => socket.resume(), (chunk.length / SLOW_BYTES_PER_SECOND) * 1000);
  });
}

if (import.meta.main) {
  const [kind, url = "", path = "", headers = "{}", ...numbers] = process.argv.slice(2);
  const run = KINDS[kind as keyof typeof KINDS] as (target: Target, ...numbers: number[]) => Promise<void>;
  await run({ url, path, headers: JSON.parse(headers) }, ...numbers.map(Number));
}
