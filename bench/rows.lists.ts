/** Lists: throughput, coding, the first byte, and what they do to others. */

import { join } from "node:path";
import { isbnAt } from "./catalog.ts";
import type { Contestant } from "./contestant.ts";
import { pinned } from "./processes.ts";
import { inTurns, type Setting, valuesOf } from "./round.ts";
import { compared, median, type Row, type Value } from "./row.ts";
import { undisturbed } from "./steal.ts";
import { type Load, wrk } from "./wrk.ts";

const NGINX = "nginx";
/** Of one connection: what a client sees that wants the list. */
const READERS = 1;

export async function largestImprint(all: readonly Contestant[], setting: Setting): Promise<Row> {
  const measured = await inTurns(all, longer(setting), ({ paths }) =>
    paths.imprint === undefined ? undefined : { path: paths.imprint, connections: READERS },
  );
  const values = valuesOf(all, measured, ({ bytes }) => bytes / 1e6);
  return compared("/api/imprint, 10,000 records", "MB/s", values, NGINX, { atLeast: 0.7 });
}

/** In lists per second, as the same list has another size with each coding. */
export async function encodedImprint(
  all: readonly Contestant[],
  setting: Setting,
  coding: string,
): Promise<Row> {
  const sizes = new Map<string, number>();
  const codings = new Map<string, string>();
  for (const { name, url, headers, paths } of all) {
    if (paths.imprint === undefined) continue;
    for (const wanted of [coding, "gzip"]) {
      const response = await fetch(url + paths.imprint, {
        headers: { ...headers, "Accept-Encoding": wanted },
        decompress: false,
      });
      const size = (await response.bytes()).length;
      if (response.headers.get("content-encoding") !== wanted) continue;
      sizes.set(name, size);
      codings.set(name, wanted);
      break;
    }
  }
  const measured = await inTurns(all, longer(setting), ({ name, paths }) =>
    sizes.has(name)
      ? { path: paths.imprint!, connections: READERS, headers: { "Accept-Encoding": codings.get(name)! } }
      : undefined,
  );
  const values = all.map(({ name }): Value => {
    const run = measured.get(name);
    if (!run) return { contestant: name, value: undefined, why: "it does not compress" };
    return { contestant: name, value: run.bytes / sizes.get(name)!, cpu: run.cpu };
  });
  const bytes = all
    .filter(({ name }) => sizes.has(name))
    .map(({ name }) => `${name} ${codings.get(name)} ${(sizes.get(name)! / 1e6).toFixed(1)} MB`);
  const name = `the same in ${coding} (${bytes.join(", ")})`;
  return compared(name, "lists/s", values, NGINX, { atLeast: 1 });
}

export async function allIsbns(all: readonly Contestant[], setting: Setting, records: number): Promise<Row> {
  const measured = await inTurns(all, longer(setting), ({ paths }) =>
    paths.skus === undefined ? undefined : { path: paths.skus, connections: READERS },
  );
  const values = valuesOf(all, measured, ({ bytes }) => bytes / 1e6);
  const name = `/api/skus, ${records.toLocaleString("en")} ISBNs`;
  return compared(name, "MB/s", values, NGINX, { atLeast: 0.8 });
}

/** Milliseconds from the request to the first byte, of a list and of one record. */
export async function firstByte(colophon: Contestant): Promise<Row> {
  const of = async (path: string) => {
    const client = join(import.meta.dir, "clients/first-byte.ts");
    const command = pinned("1", [
      process.execPath,
      client,
      colophon.url,
      path,
      JSON.stringify(colophon.headers),
    ]);
    return Number(await new Response(Bun.spawn(command, { stdout: "pipe" }).stdout).text());
  };
  await of(colophon.paths.isbn(isbnAt(0)));
  const list = { contestant: "the list", value: await of(colophon.paths.imprint!) };
  const record = { contestant: "one record", value: await of(colophon.paths.isbn(isbnAt(0))) };
  return compared("first byte of that list", "ms", [list, record], record.contestant, { atMost: 5 });
}

/** 99 of 100 lookups take no longer than this, alone and beside four readers of the largest imprint. */
export function besideReaders(colophon: Contestant, setting: Setting): Promise<Row> {
  const list = colophon.url + colophon.paths.imprint!;
  const headers = Object.entries(colophon.headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const command = ["wrk", "-t1", "-c4", `-d${setting.seconds + 60}s`, ...headers, list];
  return besideOthers("4 readers", "4 readers of that list", colophon, setting, async () => {
    const readers = Bun.spawn(pinned("1", command), { stdout: "ignore" });
    await Bun.sleep(500);
    return readers;
  });
}

/** The same beside 2,000 idle clients, 500 slow senders and 500 slow readers. */
export function underPressure(colophon: Contestant, setting: Setting): Promise<Row> {
  const client = join(import.meta.dir, "clients/pressure.ts");
  const task = [colophon.url, colophon.paths.imprint!, JSON.stringify(colophon.headers)];
  const command = [process.execPath, client, ...task, String(setting.seconds * 10 + 60)];
  const whom = "2,000 idle clients, 500 slow senders and 500 slow readers";
  return besideOthers("3,000", whom, colophon, setting, async () => {
    const crowd = Bun.spawn(pinned("1", command), { stdout: "pipe" });
    await crowd.stdout.getReader().read();
    await Bun.sleep(2000);
    return crowd;
  });
}

/**
 * In turns, and the medians of five. For some seconds after thousands of connections have gone, the host takes its share
 * (20 ms at a time, from nginx as from us), and wrk counts the requests that it could not send meanwhile.
 */
async function besideOthers(
  short: string,
  whom: string,
  colophon: Contestant,
  { folder, seconds }: Setting,
  gather: () => Promise<Bun.Subprocess>,
): Promise<Row> {
  const lookups: Load = { path: colophon.paths.isbn(isbnAt(0)), connections: 8, seconds };
  // The server still tidies up after what was measured before.
  await wrk(colophon, folder, lookups);
  const [alone, beside]: [number[], number[]] = [[], []];
  for (let round = 0; round < 5; round++) {
    alone.push((await undisturbed(() => wrk(colophon, folder, lookups))).p99);
    const others = await gather();
    beside.push((await undisturbed(() => wrk(colophon, folder, lookups))).p99);
    others.kill();
    await others.exited;
    // To tidy up after them is work of the server's own.
    await Bun.sleep(2000);
  }
  const values = [
    { contestant: `beside ${short}`, value: median(beside) },
    { contestant: "alone", value: median(alone) },
  ];
  return compared(`p99 of /api/isbn beside ${whom}`, "ms", values, "alone", { atMost: 5 });
}

/** A list takes long: half a dozen of them are wanted in a run. */
function longer(setting: Setting): Setting {
  return { ...setting, seconds: setting.seconds + 1 };
}
