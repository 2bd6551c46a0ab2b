/** Rows for the time to the first byte, and for the latency of lookups beside other load. */
import { startClient, startLoad } from "../clients.ts";
import { type BenchOptions, inTurns, median, withoutStolenCpu } from "../measure.ts";
import { CLIENT_CORE, pinnedTo } from "../processes.ts";
import { isbnAt } from "../product-xml.ts";
import { compare, type ResultRow } from "../results/rows.ts";
import type { ServerUnderTest } from "../servers/server.ts";
import { type WrkOptions, wrk, wrkHeaders } from "../wrk.ts";

const STARTING_LISTS = 500;
/** wrk is then in full swing, and measures what the beginning does to it. */
const LISTS_START_AFTER_MS = 500;

/** Compares the largest imprint with one record, in milliseconds from the request to the first byte. */
export async function firstByte(server: ServerUnderTest): Promise<ResultRow> {
  const { paths } = server;
  const measure = async (path: string) =>
    Number(await new Response(startClient("first-byte", server, path).stdout).text());
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
  const load = "2,000 idle clients, 500 slow senders and 500 slow readers";
  return besideLoad("3,000 clients", load, colophon, options, async () => {
    const clients = await startLoad("idle-and-slow", colophon, colophon.paths.imprint!, [
      options.seconds * 10 + 60,
    ]);
    await Bun.sleep(2000);
    return clients;
  });
}

/**
 * Compares the p99 of lookups while 500 clients begin the largest imprint at the same moment, uncached, with the p99
 * alone. They begin while wrk runs, and read on until it ends.
 */
export function besideStartingLists(colophon: ServerUnderTest, options: BenchOptions): Promise<ResultRow> {
  const numbers = [STARTING_LISTS, LISTS_START_AFTER_MS];
  const load = `${STARTING_LISTS} clients that begin an uncached /api/imprint`;
  const lookups = lookupsOf(colophon, options);
  return compareP99(`${STARTING_LISTS} beginnings`, load, colophon, options, () =>
    // A repeated run needs a new beginning.
    withoutStolenCpu(async () => {
      const clients = await startLoad("starting-lists", colophon, colophon.paths.imprint!, numbers);
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
  const [alone, beside] = await inTurns(
    options.latencyRounds,
    () => measureP99(colophon, options),
    measureBeside,
  );
  const values = [
    { label: `beside ${label}`, value: median(beside!) },
    { label: "alone", value: median(alone!) },
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
