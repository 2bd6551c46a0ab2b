/** Rows for the time to the first byte, and for the latency of lookups beside other load. */
import { join } from "node:path";
import type { BenchOptions } from "../alternate.ts";
import { isbnAt } from "../catalog-feed.ts";
import { median } from "../median.ts";
import { pinnedTo } from "../processes.ts";
import { compare, type ResultRow } from "../result-row.ts";
import type { ServerUnderTest } from "../server-under-test.ts";
import { withoutStolenCpu } from "../stolen-cpu.ts";
import { type WrkOptions, wrk, wrkHeaders } from "../wrk.ts";

const CLIENT_CORE = "1";
const STARTING_LISTS = 500;
/** wrk is then in full swing, and measures what the beginning does to it. */
const LISTS_START_AFTER_MS = 500;

/** Compares the largest imprint with one record, in milliseconds from the request to the first byte. */
export async function firstByte({ url, headers, paths }: ServerUnderTest): Promise<ResultRow> {
  const client = join(import.meta.dir, "../clients/first-byte.ts");
  const measure = async (path: string) => {
    const command = pinnedTo(CLIENT_CORE, [process.execPath, client, url, path, JSON.stringify(headers)]);
    return Number(await new Response(Bun.spawn(command, { stdout: "pipe" }).stdout).text());
  };
  const recordPath = paths.isbn(isbnAt(0));
  await measure(recordPath);
  const list = { label: "the list", value: await measure(paths.imprint!) };
  const record = { label: "one record", value: await measure(recordPath) };
  return compare("first byte of /api/imprint", "ms", [list, record], record.label, { atMost: 5 });
}

/** Compares the p99 of lookups beside four readers of the largest imprint with the p99 alone. */
export function besideListReaders(colophon: ServerUnderTest, options: BenchOptions): Promise<ResultRow> {
  const list = colophon.url + colophon.paths.imprint!;
  const flags = ["-t1", "-c4", `-d${options.seconds + 60}s`, ...wrkHeaders(colophon.headers)];
  return besideLoad("4 readers", "4 readers of /api/imprint", colophon, options, async () => {
    const readers = Bun.spawn(pinnedTo(CLIENT_CORE, ["wrk", ...flags, list]), { stdout: "ignore" });
    await Bun.sleep(500);
    return readers;
  });
}

/** Compares the p99 of lookups beside 3,000 idle and slow connections with the p99 alone. */
export function besideSlowClients(colophon: ServerUnderTest, options: BenchOptions): Promise<ResultRow> {
  const client = join(import.meta.dir, "../clients/idle-and-slow-clients.ts");
  const seconds = String(options.seconds * 10 + 60);
  const target = [colophon.url, colophon.paths.imprint!, JSON.stringify(colophon.headers), seconds];
  const load = "2,000 idle clients, 500 slow senders and 500 slow readers";
  return besideLoad("3,000 clients", load, colophon, options, async () => {
    const clients = Bun.spawn(pinnedTo(CLIENT_CORE, [process.execPath, client, ...target]), {
      stdout: "pipe",
    });
    // The client prints "ready" when all of its connections are open.
    await clients.stdout.getReader().read();
    await Bun.sleep(2000);
    return clients;
  });
}

/**
 * Compares the p99 of lookups while 500 clients begin the largest imprint at the same moment, uncached, with the p99
 * alone. They begin while wrk runs, and read on until it ends.
 */
export function besideStartingLists(colophon: ServerUnderTest, options: BenchOptions): Promise<ResultRow> {
  const client = join(import.meta.dir, "../clients/starting-lists.ts");
  const target = [colophon.url, colophon.paths.imprint!, JSON.stringify(colophon.headers)];
  const count = [String(STARTING_LISTS), String(LISTS_START_AFTER_MS)];
  const command = pinnedTo(CLIENT_CORE, [process.execPath, client, ...target, ...count]);
  const load = `${STARTING_LISTS} clients that begin an uncached /api/imprint`;
  const lookups = lookupsOf(colophon, options);
  return compareP99(`${STARTING_LISTS} beginnings`, load, colophon, options, () =>
    // A repeated run needs a new beginning.
    withoutStolenCpu(async () => {
      const clients = Bun.spawn(command, { stdout: "pipe" });
      // The client prints "ready" when all of its connections are open.
      await clients.stdout.getReader().read();
      const { p99Ms } = await wrk(colophon, options.workFolder, lookups);
      await endLoad(clients);
      return p99Ms;
    }, toleranceOf(options)),
  );
}

/** As `compareP99`, with a load that is the same all the time. */
function besideLoad(
  label: string,
  load: string,
  colophon: ServerUnderTest,
  options: BenchOptions,
  startLoad: () => Promise<Bun.Subprocess>,
): Promise<ResultRow> {
  return compareP99(label, load, colophon, options, async () => {
    const clients = await startLoad();
    const p99Ms = await measureP99(colophon, options);
    await endLoad(clients);
    return p99Ms;
  });
}

/**
 * Measures the p99 alone and beside the load in alternation, and takes the medians.
 * After thousands of connections have closed, some hosts pause the machine for 20 ms at a time, for any server.
 */
async function compareP99(
  label: string,
  load: string,
  colophon: ServerUnderTest,
  options: BenchOptions,
  measureBeside: () => Promise<number>,
): Promise<ResultRow> {
  // The server may still release memory and connections of the row before.
  await wrk(colophon, options.workFolder, lookupsOf(colophon, options));
  const alone: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round < options.latencyRounds; round++) {
    alone.push(await measureP99(colophon, options));
    beside.push(await measureBeside());
  }
  const values = [
    { label: `beside ${label}`, value: median(beside) },
    { label: "alone", value: median(alone) },
  ];
  return compare(`p99 of /api/isbn beside ${load}`, "ms", values, "alone", { atMost: 5 });
}

async function measureP99(colophon: ServerUnderTest, options: BenchOptions): Promise<number> {
  const lookups = lookupsOf(colophon, options);
  return (await withoutStolenCpu(() => wrk(colophon, options.workFolder, lookups), toleranceOf(options)))
    .p99Ms;
}

/** A pause of one hundredth of the run is enough to become its p99. */
function toleranceOf({ maxAttempts }: BenchOptions) {
  return { maxStolenShare: 0, maxAttempts };
}

function lookupsOf({ paths }: ServerUnderTest, { seconds }: BenchOptions): WrkOptions {
  return { path: paths.isbn(isbnAt(0)), connections: 8, seconds };
}

async function endLoad(clients: Bun.Subprocess): Promise<void> {
  clients.kill();
  await clients.exited;
  // Closing the connections is work that must not count as "alone".
  await Bun.sleep(2000);
}
