/** What the process costs: memory, and the time until it answers. */
import { join } from "node:path";
import { isbnAt } from "./catalog.ts";
import type { Contestant, Shelf } from "./contestant.ts";
import { launch } from "./contestants/colophon.ts";
import { answers, memoryOf, pinned } from "./processes.ts";
import { compared, median, type Row } from "./row.ts";

const MOST_MEGABYTES = 150;
const READERS = 200;
const READERS_SECONDS = 20;

/** Called when everything else has been measured on the same process: `most` is then that under full load. */
export async function memory(shelf: Shelf, loaded: Contestant): Promise<Row[]> {
  const { url, headers, child } = await launch(shelf.database, "0", 1);
  await answers(`${url}/api/isbn/${isbnAt(0)}`, headers);
  const idle = memoryOf(child.pid).now;
  const client = join(import.meta.dir, "clients/slow-readers.ts");
  const task = [
    url,
    loaded.paths.imprint!,
    JSON.stringify(headers),
    String(READERS),
    String(READERS_SECONDS),
  ];
  const readers = Bun.spawn(pinned("1", [process.execPath, client, ...task]));
  await readers.exited;
  const slow = memoryOf(child.pid).most;
  child.kill("SIGTERM");
  await child.exited;
  const full = Math.max(...loaded.pids.map((pid) => memoryOf(pid).most));
  const row = (name: string, value: number) =>
    compared(
      `memory, ${name}`,
      "MB",
      [
        { contestant: "Colophon", value },
        { contestant: "goal", value: MOST_MEGABYTES },
      ],
      "goal",
      { atMost: 1 },
    );
  return [
    row("idle", idle),
    row("the most under full load", full),
    row(`the most with ${READERS} readers of 10 kB/s`, slow),
  ];
}

/** Milliseconds from the command to the first record. */
export async function start(large: Shelf, small: Shelf): Promise<Row> {
  const once = async (shelf: Shelf) => {
    const { url, headers, child } = await launch(shelf.database, "0", 1);
    const seconds = await answers(`${url}/api/isbn/${isbnAt(0)}`, headers);
    child.kill("SIGTERM");
    await child.exited;
    return seconds * 1000;
  };
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < 5; round++) {
    times[0].push(await once(large));
    times[1].push(await once(small));
  }
  const values = [
    { contestant: `${large.records.toLocaleString("en")} records`, value: median(times[0]) },
    { contestant: `${small.records} records`, value: median(times[1]) },
  ];
  return compared("start until the first answer", "ms", values, values[1]!.contestant, { atMost: 2 });
}
