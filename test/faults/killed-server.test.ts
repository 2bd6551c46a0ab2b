/** A server that is killed under load restarts with everything that was committed, and never responds wrongly. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { message, product } from "../../src/onix/testing/message.ts";
import { duringTests, numberedIsbn } from "../during-tests.ts";
import { COMMAND, colophon, fetchAs, type ServeProcess, startColophon } from "../process.ts";
import { repetitions, reportFault } from "./fault-report.ts";
import { BOOK_COUNT, createTwoStateCatalog, READER_PAUSE_MS } from "./two-state-catalog.ts";

const catalog = duringTests(createTwoStateCatalog);

/** Starts clients that send requests until `stop` or the end of the server. `stop` returns the number of responses. */
function startReaders(server: ServeProcess, readers: number): { stop(): Promise<number> } {
  const stop = new AbortController();
  let responses = 0;
  const reader = async (index: number) => {
    for (let round = 0; !stop.signal.aborted; round++) {
      const isComplete = await request(server, index, round, stop.signal).catch((error) => {
        // A killed server aborts connections. That is no defect.
        if (isConnectionError(error) || stop.signal.aborted) return false;
        throw error;
      });
      if (!isComplete) return;
      responses++;
      await Bun.sleep(READER_PAUSE_MS);
    }
  };
  const all = Array.from({ length: readers }, (_, index) => reader(index));
  // An error that is thrown before `stop` must not count as unhandled.
  const ended = Promise.all(all);
  ended.catch(() => {});
  return {
    async stop() {
      stop.abort();
      await ended;
      return responses;
    },
  };
}

async function request(
  server: ServeProcess,
  index: number,
  round: number,
  signal: AbortSignal,
): Promise<true> {
  if (index === 0) {
    await catalog.servedState(server.url, signal);
    return true;
  }
  const isbn = numberedIsbn((index * 997 + round * 31) % BOOK_COUNT);
  const response = await fetchAs(catalog.token, `${server.url}/api/isbn/${isbn}`, { signal });
  const record = (await response.json()) as { RecordReference: string };
  expect([response.status, record.RecordReference]).toEqual([200, isbn]);
  return true;
}

/** Returns whether a connection was refused, reset or closed early, as by a process that has ended. */
function isConnectionError(error: unknown): boolean {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return (
    name === "AbortError" ||
    /^(ECONN|ConnectionRefused|ConnectionClosed|UND_ERR|EPIPE|FailedToOpenSocket)/.test(String(code))
  );
}

test("kill -9 under load, with an import only in the write-ahead log: a restart loses nothing", async () => {
  const rounds = repetitions(2, 20);
  let [responses, logs] = [0, 0];
  let server = await startColophon(["--db", catalog.db]);
  for (let round = 0; round < rounds; round++) {
    const before = await catalog.servedState(server.url);
    const readers = startReaders(server, 4);
    // While this transaction reads the old state, SQLite cannot move the import from the log into the file.
    const old = new Database(catalog.db, { readonly: true });
    old.run("BEGIN");
    old.prepare("SELECT revision FROM catalog").all();
    const { code } = await colophon(["import", "--db", catalog.db, catalog.feeds[1 - before]!]);
    expect(code).toBe(0);
    server.process.kill("SIGKILL");
    await server.process.exited;
    old.close();
    // A reader uses the log and leaves it in place.
    expect((await colophon(["verify", "--db", catalog.db])).code).toBe(0);
    if (statSync(`${catalog.db}-wal`).size > 0) logs++;
    responses += await readers.stop();
    server = await startColophon(["--db", catalog.db]);
    expect(await catalog.servedState(server.url)).toBe(before === 0 ? 1 : 0);
  }
  expect(logs).toBe(rounds);
  expect(responses).toBeGreaterThan(0);
  expect(await server.stop()).toBe(0);
  expect((await colophon(["verify", "--db", catalog.db])).code).toBe(0);
  reportFault({
    fault: "kill -9 of the server under load, with an import only in the write-ahead log",
    tried: rounds,
    lost: "nothing; requests in flight were aborted, visibly",
    checked: `${responses} complete responses, each checked; after the restart the import is complete; verify at the end`,
  });
});

test("kill -9 of the server and of an import at the same moment: the state before the import is served", async () => {
  const rounds = repetitions(1, 10);
  for (let round = 0; round < rounds; round++) {
    const server = await startColophon(["--db", catalog.db]);
    const before = await catalog.servedState(server.url);
    const importing = await startEndlessImport();
    importing.kill("SIGKILL");
    server.process.kill("SIGKILL");
    await Promise.all([importing.exited, server.process.exited]);
    const again = await startColophon(["--db", catalog.db]);
    expect(await catalog.servedState(again.url)).toBe(before);
    await again.stop();
  }
  expect((await colophon(["verify", "--db", catalog.db])).code).toBe(0);
  reportFault({
    fault: "kill -9 of the server and of an import, with 1 MB of it in the write-ahead log",
    tried: rounds,
    lost: "nothing",
    checked: "after the restart the state before the import, in a complete list; verify at the end",
  });
});

/** Starts an import whose feed does not end, and waits until its first products are in the write-ahead log. */
async function startEndlessImport() {
  const child = Bun.spawn([COMMAND, "import", "--replace", "--db", catalog.db, "-"], {
    stdin: "pipe",
    stdout: "ignore",
    stderr: "ignore",
  });
  const text = `<Text>${"y".repeat(500_000)}</Text>`;
  child.stdin.write(message("").replace(/(<NoProduct\/>)?<\/ONIXMessage>\s*$/, ""));
  for (let number = 0; statSync(`${catalog.db}-wal`).size < 1_000_000; number++) {
    if (child.exitCode !== null) throw new Error(`The import has ended with exit ${child.exitCode}`);
    child.stdin.write(product({ isbn: numberedIsbn(number), title: "Half", imprint: "Sello", text }));
    await child.stdin.flush();
    await Bun.sleep(1);
  }
  return child;
}
