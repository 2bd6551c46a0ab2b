/**
 * `npm run bench [-- --records 10000,100000,1000000 --rounds 3 --seconds 2 --into docs]`: measures everything in one run,
 * the contestants in turns, prints one table, and writes it as JSON and as a chart.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { makeCatalog, makeFiles } from "./catalog.ts";
import { chartOf } from "./chart.ts";
import type { Contestant, Shelf, Start } from "./contestant.ts";
import { colophon } from "./contestants/colophon.ts";
import { fastify } from "./contestants/fastify.ts";
import { jsonServer } from "./contestants/json-server.ts";
import { nginx, nginxCached } from "./contestants/nginx.ts";
import type { Setting } from "./round.ts";
import type { Row } from "./row.ts";
import { lookupsByCatalog, newsByCatalog } from "./rows.growth.ts";
import {
  allIsbns,
  besideReaders,
  encodedImprint,
  firstByte,
  largestImprint,
  underPressure,
} from "./rows.lists.ts";
import { hotRecord, notModified, randomRecord, severalRecords } from "./rows.lookups.ts";
import { memory, start } from "./rows.process.ts";
import { tableOf } from "./table.ts";
import { warm } from "./warm.ts";
import { needsWrk } from "./wrk.ts";

const { values: given } = parseArgs({
  options: {
    records: { type: "string", default: "10000,100000,1000000" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "2" },
    into: { type: "string", default: join(import.meta.dir, "../docs") },
  },
});
const missing = needsWrk();
if (missing) throw new Error(missing);
if (cpus().length < 2) throw new Error("two cores are needed: one for the server, one for its clients");

const folder = join(tmpdir(), "colophon-bench");
const setting: Setting = { folder, rounds: Number(given.rounds), seconds: Number(given.seconds) };
const sizes = given.records
  .split(",")
  .map(Number)
  .sort((a, b) => a - b);
const rows: Row[] = [];
const notes: string[] = [];

const shelves = [];
for (const records of [10, ...sizes]) shelves.push(await shelfOf(records));
const [tiny, small] = [shelves[0]!, shelves[1]!];
const large = shelves.at(-1)!;

await lookups(small, [colophon(1), nginx, nginxCached, fastify, jsonServer]);
if (large !== small) await warm(large);
if (large !== small) await lookups(large, [colophon(1), nginx, fastify]);
await lists(large, [colophon(1), nginx, fastify]);
await twoCores(small);
if (large !== small) await growth();
add(await start(large, tiny));

const date = new Date().toISOString().slice(0, 10);
const table = tableOf(rows);
console.log(`\n${table}\n\n${notes.join("\n")}\nload of the machine: ${loadavg()[0]!.toFixed(1)}`);
const machine = `${cpus().length} cores${cpus()[0]!.model === "unknown" ? "" : ` of ${cpus()[0]!.model}`}`;
writeFileSync(
  join(given.into, "performance.json"),
  `${JSON.stringify({ date, machine, sizes, rows, notes }, null, 1)}\n`,
);
writeTable(join(given.into, "performance.md"));
writeFileSync(join(given.into, "performance.svg"), chartOf(rows, date));

/** Into the page, where there is one. */
function writeTable(page: string): void {
  if (!existsSync(page)) return;
  const about = `Measured on ${date}, ${machine}.${notes.length > 0 ? ` Not measured: ${notes.join("; ")}.` : ""}`;
  const text = readFileSync(page, "utf8");
  const between = /(<!-- table -->\n)[\s\S]*(<!-- \/table -->)/;
  writeFileSync(
    page,
    text.replace(between, (_, begin, end) => `${begin}${about}\n\n${table}\n${end}`),
  );
}

async function shelfOf(records: number): Promise<Shelf> {
  const shelf = {
    records,
    database: join(folder, `${records}.db`),
    files: join(folder, `www-${records}`),
    folder,
  };
  mkdirSync(folder, { recursive: true });
  console.error(`the catalog of ${records.toLocaleString("en")} records`);
  await makeCatalog(shelf.database, records);
  await makeFiles(shelf.files, records);
  return shelf;
}

async function lookups(shelf: Shelf, starts: readonly Start[]): Promise<void> {
  await among(shelf, starts, "0", async (all) => {
    if (shelf === small) add(await hotRecord(all, setting, shelf.records));
    add(await randomRecord(all, setting, shelf.records));
    if (shelf === small) add(await notModified(all, setting, shelf.records));
    if (shelf === large) add(await severalRecords(all, setting, shelf.records));
  });
}

async function lists(shelf: Shelf, starts: readonly Start[]): Promise<void> {
  await among(shelf, starts, "0", async (all) => {
    const [own] = all;
    add(await largestImprint(all, setting));
    for (const coding of ["gzip", "zstd"]) add(await encodedImprint(all, setting, coding));
    add(await allIsbns(all, setting, shelf.records));
    for (const row of await memory(shelf, own!)) add(row);
  });
  // The others would still be busy with what they were asked, on the same core.
  await among(shelf, [colophon(1)], "0", async ([own]) => {
    add(await firstByte(own!));
    add(await besideReaders(own!, setting));
    add(await underPressure(own!, setting));
  });
}

/** Server and clients share both cores here: that is no measure of a core, but of what a second worker adds. */
async function twoCores(shelf: Shelf): Promise<void> {
  await among(shelf, [colophon(2), colophon(1), nginx], "0,1", async (all) => {
    const row = await hotRecord(all, setting, shelf.records);
    const { goal: _, ...shown } = row;
    add({ ...shown, name: `${row.name}, server and clients on two cores` });
  });
}

async function growth(): Promise<void> {
  const [one, other] = [await colophon(1)(large, "0"), await colophon(1)(small, "0")];
  const both = {
    large: { contestant: one, records: large.records },
    small: { contestant: other, records: small.records },
  };
  add(await newsByCatalog(both, setting));
  add(await lookupsByCatalog(both, setting));
  await Promise.all([one.stop(), other.stop()]);
}

/** Those that can run here; of the others, a note says why not. */
async function among(
  shelf: Shelf,
  starts: readonly Start[],
  cores: string,
  measure: (all: readonly Contestant[]) => Promise<void>,
): Promise<void> {
  const all: Contestant[] = [];
  try {
    for (const begin of starts) {
      try {
        all.push(await begin(shelf, cores));
      } catch (error) {
        notes.push(`${begin.name} with ${shelf.records}: ${(error as Error).message}`);
      }
    }
    await measure(all);
  } finally {
    await Promise.all(all.map((contestant) => contestant.stop()));
  }
}

function add(row: Row): void {
  rows.push(row);
  console.error(tableOf([row]).split("\n").at(-1));
}
