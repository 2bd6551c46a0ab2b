/** A server that is killed under load comes back with everything that was committed, and never answered wrongly. */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { message, product } from "../../src/onix/testing/message.ts";
import { COMMAND, colophon, type ServeProcess, startColophon } from "../process.ts";
import { reportFault, repetitions } from "./fault-report.ts";
import { BOOK_COUNT, isbnOf, type TwoStateCatalog, createTwoStateCatalog } from "./two-state-catalog.ts";

let catalog: TwoStateCatalog;

beforeAll(async () => {
  catalog = await createTwoStateCatalog();
});
afterAll(() => catalog.remove());

/** Readers that ask until they are told to stop, or the server is gone; gives how many answers were whole. */
function load(server: ServeProcess, readers: number): { stop(): Promise<number> } {
  const over = new AbortController();
  let answers = 0;
  const reader = async (at: number) => {
    for (let round = 0; !over.signal.aborted; round++) {
      const answer = await ask(server, at, round, over.signal).catch((error) => {
        // What was cut off is an error on the wire, and none of ours.
        if (isWire(error) || over.signal.aborted) return undefined;
        throw error;
      });
      if (answer === undefined) return;
      answers++;
    }
  };
  const all = Array.from({ length: readers }, (_, at) => reader(at));
  // Not left alone when one of them throws before it is waited for.
  const ended = Promise.all(all);
  ended.catch(() => {});
  return {
    async stop() {
      over.abort();
      await ended;
      return answers;
    },
  };
}

async function ask(server: ServeProcess, at: number, round: number, signal: AbortSignal): Promise<true> {
  if (at === 0) {
    await catalog.servedState(server.url, signal);
    return true;
  }
  const isbn = isbnOf((at * 997 + round * 31) % BOOK_COUNT);
  const response = await fetch(`${server.url}/api/isbn/${isbn}`, {
    headers: { Authorization: `Bearer ${catalog.token}` },
    signal,
  });
  const record = (await response.json()) as { RecordReference: string };
  expect([response.status, record.RecordReference]).toEqual([200, isbn]);
  return true;
}

/** Refused, reset or ended too early: what a client sees of a process that is gone. */
function isWire(error: unknown): boolean {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return (
    name === "AbortError" ||
    /^(ECONN|ConnectionRefused|ConnectionClosed|UND_ERR|EPIPE|FailedToOpenSocket)/.test(String(code))
  );
}

test("kill -9 under load, with an import that is in the log alone: it comes back, and nothing is lost", async () => {
  const rounds = repetitions(3, 20);
  let [answers, logs] = [0, 0];
  let server = await startColophon(["--db", catalog.db]);
  for (let round = 0; round < rounds; round++) {
    const before = await catalog.servedState(server.url);
    const readers = load(server, 8);
    // As long as this one reads the old state, the import cannot leave the log for the file.
    const old = new Database(catalog.db, { readonly: true });
    old.run("BEGIN");
    old.prepare("SELECT revision FROM catalog").all();
    const { code } = await colophon(["import", "--db", catalog.db, catalog.feeds[1 - before]!]);
    expect(code).toBe(0);
    server.process.kill("SIGKILL");
    await server.process.exited;
    old.close();
    // Who only reads does so with the log, and leaves it to be taken over.
    expect((await colophon(["verify", "--db", catalog.db])).code).toBe(0);
    if (statSync(`${catalog.db}-wal`).size > 0) logs++;
    answers += await readers.stop();
    server = await startColophon(["--db", catalog.db]);
    expect(await catalog.servedState(server.url)).toBe(before === 0 ? 1 : 0);
  }
  expect(logs).toBe(rounds);
  expect(answers).toBeGreaterThan(0);
  expect(await server.stop()).toBe(0);
  expect((await colophon(["verify", "--db", catalog.db])).code).toBe(0);
  reportFault({
    fault: "kill -9 of the server under load, with an import in the write-ahead log alone",
    tried: rounds,
    lost: "nothing; requests under way broke off, visibly",
    checked: `${answers} whole answers, each checked; after the restart the import is there, whole; verify at the end`,
  });
}, 300_000);

test("kill -9 of the server and of an import at the same moment: the log that is left counts for nothing", async () => {
  const rounds = repetitions(2, 10);
  for (let round = 0; round < rounds; round++) {
    const server = await startColophon(["--db", catalog.db]);
    const before = await catalog.servedState(server.url);
    const importing = await halfAnImport();
    importing.kill("SIGKILL");
    server.process.kill("SIGKILL");
    await Promise.all([importing.exited, server.process.exited]);
    const again = await startColophon(["--db", catalog.db]);
    expect(await catalog.servedState(again.url)).toBe(before);
    await again.stop();
  }
  expect((await colophon(["verify", "--db", catalog.db])).code).toBe(0);
  reportFault({
    fault: "kill -9 of the server and of an import, with megabytes of it in the log",
    tried: rounds,
    lost: "nothing",
    checked: "after the restart the state before the import, in a whole list; verify at the end",
  });
}, 120_000);

/** An import that goes on as long as it gets products, and has got so many that they are in the log already. */
async function halfAnImport() {
  const child = Bun.spawn([COMMAND, "import", "--replace", "--db", catalog.db, "-"], {
    stdin: "pipe",
    stdout: "ignore",
    stderr: "ignore",
  });
  const text = `<Text>${"y".repeat(500_000)}</Text>`;
  child.stdin.write(message("").replace(/(<NoProduct\/>)?<\/ONIXMessage>\s*$/, ""));
  for (let number = 0; statSync(`${catalog.db}-wal`).size < 1_000_000; number++) {
    child.stdin.write(product({ isbn: isbnOf(number), title: "Half", imprint: "Sello", text }));
    await child.stdin.flush();
    await Bun.sleep(1);
  }
  return child;
}
