/** Imports into PostgreSQL that lose their connection, their network or their process. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { waitFor } from "../../src/lib/testing/wait-for.ts";
import { message, product } from "../../src/onix/testing/message.ts";
import { migratePostgres } from "../../src/stores/postgres/store.ts";
import { createDatabase, type TestDatabase } from "../../src/stores/postgres/testing/database.ts";
import { type NetworkProxy, startNetworkProxy } from "../../src/stores/postgres/testing/network-proxy.ts";
import { queryValue, runStatements } from "../../src/stores/postgres/testing/sql.ts";
import { numberedIsbn } from "../during-tests.ts";
import { COMMAND, type CommandResult, colophon, resultOf, temporaryFolder } from "../process.ts";
import { repetitions, reportFault } from "./fault-report.ts";

/** Deadlines take up to a minute, so most of these tests run only for docs/reliability.md. */
const isLongRun = repetitions(0, 1) === 1;
/** An import that meets a silent network ends within this time. So does the lock of one that is dead. */
const MAX_DEADLINE_MS = 60_000;

const folder = temporaryFolder();

interface Catalog extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly proxy: NetworkProxy;
  records(): Promise<number>;
}

/** An empty catalog. */
async function createCatalog(): Promise<Catalog> {
  const database = await createDatabase();
  await migratePostgres(database.url);
  const proxy = await startNetworkProxy(database.url);
  return {
    database,
    proxy,
    records: async () => Number(await queryValue(database.url, "SELECT count(*) FROM colophon.record")),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** A feed of so many books. One of 500 has more bytes than a batch. */
function feedOf(count: number): string {
  const text = `<Text>${"more than a batch ".repeat(500)}</Text>`;
  return message(
    ...Array.from({ length: count }, (_, number) => product({ isbn: numberedIsbn(number), text })),
  );
}

function importDirectly(url: string, feed: string): Promise<CommandResult> {
  return colophon(["import", "--db", url, "-"], { stdin: feed });
}

interface RunningImport {
  readonly child: Bun.Subprocess<"pipe", "pipe", "pipe">;
  readonly result: Promise<CommandResult & { readonly report: Record<string, unknown> }>;
}

let reports = 0;

/** Starts an import whose feed does not end: the test writes the rest, or not. */
function startImport(url: string, feed: string): RunningImport {
  const report = join(folder, `${++reports}.json`);
  const child = Bun.spawn([COMMAND, "import", "--db", url, "--report", report, "-"], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  child.stdin.write(feed);
  void child.stdin.flush();
  const finish = async () => {
    const ended = await resultOf(child);
    const text = await Bun.file(report).text();
    return { ...ended, report: text.endsWith("}\n") ? JSON.parse(text) : {} };
  };
  return { child, result: finish() };
}

/** Half of a feed, so that the import sends rows and waits for more. */
const UNFINISHED = feedOf(500).slice(0, -200_000);

async function waitForRows({ database }: Catalog): Promise<void> {
  const query = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
    AND query LIKE 'COPY colophon.record%' AND wait_event = 'ClientRead'`;
  await waitFor("the server reads rows", async () => Number(await queryValue(database.url, query)) > 0);
}

/** As it is sent: PostgreSQL's protocol ends a statement with a zero byte. */
const COMMIT = "COMMIT\0";

describe.concurrent("a COMMIT of an import", () => {
  test("that the server has executed is reported as applied when its response is lost", async () => {
    await using catalog = await createCatalog();
    catalog.proxy.onSent(COMMIT, (connection) => connection.cut());
    const running = startImport(catalog.proxy.url, feedOf(3));
    running.child.stdin.end();
    const { code, stdout, stderr, report } = await running.result;
    expect([code, report.applied]).toEqual([0, true]);
    expect(stdout).toContain("3 products: 3 added. Revision ");
    expect(stderr).toEndWith(
      "The connection was lost during the commit, but the import was applied completely.\n",
    );
    expect(await catalog.records()).toBe(3);
    const again = await importDirectly(catalog.database.url, feedOf(3));
    expect(again.stdout).toContain("The catalog is unchanged.");
    reportFault({
      fault: "a network that loses the response to the COMMIT of an import (PostgreSQL)",
      tried: 1,
      lost: "nothing",
      checked: "exit 0, the report says applied, and the next import finds every book unchanged",
    });
  });

  test("that the server has not received leads to exit 1 and an unchanged catalog", async () => {
    await using catalog = await createCatalog();
    catalog.proxy.onSent(COMMIT, (connection) => connection.cut(), false);
    const running = startImport(catalog.proxy.url, feedOf(3));
    running.child.stdin.end();
    const { code, stdout, stderr, report } = await running.result;
    expect([code, stdout, report.applied]).toEqual([1, "", false]);
    expect(stderr).toMatch(
      /(^|\n)colophon: The connection to .* was lost during the commit, and the import was not applied; import again\.\n$/,
    );
    expect(await catalog.records()).toBe(0);
    reportFault({
      fault: "a network that loses the COMMIT of an import (PostgreSQL)",
      tried: 1,
      lost: "nothing",
      checked: "exit 1, the report says not applied, and the catalog is unchanged",
    });
  });

  if (isLongRun) {
    test("leads to exit 4 when its outcome cannot be found out", async () => {
      await using catalog = await createCatalog();
      catalog.proxy.onSent(COMMIT, () => {
        catalog.proxy.refuse();
        catalog.proxy.cut();
      });
      const running = startImport(catalog.proxy.url, feedOf(3));
      running.child.stdin.end();
      const { code, stdout, stderr, report } = await running.result;
      expect([code, stdout, report.applied]).toEqual([4, "", null]);
      expect(stderr).toMatch(
        /(^|\n)colophon: The connection .* could not be reached again\. The outcome is unknown: .*\n$/,
      );
      expect(stderr).toEndWith(`colophon: ${report.unknown}\n`);
      const again = await importDirectly(catalog.database.url, feedOf(3));
      expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("The catalog is unchanged.")]);
      reportFault({
        fault:
          "a network that loses the response to the COMMIT of an import and does not recover (PostgreSQL)",
        tried: 1,
        lost: "nothing",
        checked: "exit 4, the report says unknown, and the next import finds every book unchanged",
      });
    });
  }
});

test("an import that a signal ends in the middle leaves an unchanged catalog and no lock", async () => {
  await using catalog = await createCatalog();
  for (const signal of ["SIGINT", "SIGTERM", "SIGKILL"] as const) {
    const { child, result } = startImport(catalog.database.url, UNFINISHED);
    // The import has the lock. It would wait for a minute if the one before had left it.
    await waitForRows(catalog);
    child.kill(signal);
    expect((await result).code).not.toBe(0);
    expect(await catalog.records()).toBe(0);
  }
});

test("kill -9 of an undo at any statement leaves the state before or after it, and the next one succeeds", async () => {
  await using catalog = await createCatalog();
  const { url } = catalog.database;
  for (const title of ["Before", "After"]) {
    const products = [1, 2, 3].map((number) => product({ isbn: numberedIsbn(number), title }));
    expect((await importDirectly(url, message(...products))).code).toBe(0);
  }
  const read = async (command: string) => (await colophon([command, "--db", url])).stdout;
  const moments = [
    ["SELECT id, chunk FROM colophon.undo", true],
    ["COPY pg_temp.staging", true],
    ["UPDATE colophon.import_run SET undoes", true],
    ["INSERT INTO colophon.undo", true],
    [COMMIT, false],
    [COMMIT, true],
  ] as const;
  for (const [statement, isDelivered] of moments) {
    const before = await read("export");
    const number = String(await queryValue(url, "SELECT max(number) FROM colophon.import_run"));
    const { promise: killed, resolve } = Promise.withResolvers<void>();
    const args = ["history", "undo", number, "--db", catalog.proxy.url];
    const child = Bun.spawn([COMMAND, ...args], { stdout: "ignore", stderr: "ignore" });
    catalog.proxy.onSent(
      statement,
      (connection) => {
        child.kill("SIGKILL");
        connection.cut();
        resolve();
      },
      isDelivered,
    );
    await killed;
    expect(await child.exited).not.toBe(0);
    // It has to wait for the lock of the dead one.
    const next = await colophon(["history", "undo", number, "--db", url]);
    const isCommitted = statement === COMMIT && isDelivered;
    expect([statement, next.code]).toEqual([statement, isCommitted ? 1 : 0]);
    if (isCommitted) expect(next.stderr).toContain(`Import ${number} is undone by import`);
    expect(await read("export")).not.toBe(before);
    expect(await read("verify")).toStartWith("3 records, all intact.");
  }
  reportFault({
    fault: "kill -9 of an undo at a statement (PostgreSQL)",
    tried: moments.length,
    lost: "nothing",
    checked: "undone after its COMMIT only; otherwise the next undo succeeds; verify each time",
  });
});

test("an import whose session is ended exits with 1, although standard input stays open", async () => {
  await using catalog = await createCatalog();
  const { url, name } = catalog.database;
  // The heartbeat, which notices it, has a quarter of this interval.
  await runStatements(url, `ALTER DATABASE ${name} SET idle_in_transaction_session_timeout = '8s'`);
  const { result } = startImport(url, UNFINISHED);
  await waitForRows(catalog);
  await runStatements(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'colophon import'`,
  );
  const { code, stderr, report } = await result;
  expect([code, report.applied]).toEqual([1, false]);
  expect(stderr).toMatch(/(^|\n)colophon: PostgreSQL at .* does not respond .*\n$/);
});

if (isLongRun) {
  describe.concurrent("an import that does not end", () => {
    test("ends within a minute when the network is silent, and its lock is gone", async () => {
      await using catalog = await createCatalog();
      const { result } = startImport(catalog.proxy.url, UNFINISHED);
      await waitForRows(catalog);
      catalog.proxy.silence("requests", "responses");
      const start = performance.now();
      const next = importDirectly(catalog.database.url, feedOf(2));
      const { code, stdout, stderr, report } = await result;
      expect(performance.now() - start).toBeLessThan(MAX_DEADLINE_MS);
      expect([code, stdout, report.applied]).toEqual([1, "", false]);
      expect(stderr).toMatch(
        /(^|\n)colophon: PostgreSQL at .* has not responded for 30 s; check the server and the network, and import again\.\n$/,
      );
      // It waits for the lock for up to a minute.
      expect((await next).code).toBe(0);
      expect(await catalog.records()).toBe(2);
      reportFault({
        fault: "a network that becomes silent in the middle of an import (PostgreSQL)",
        tried: 1,
        lost: "nothing",
        checked:
          "exit 1 within a minute; the catalog is unchanged; another import gets the lock within a minute",
      });
    });

    test("loses its lock within a minute when its process is stopped", async () => {
      await using catalog = await createCatalog();
      const { child, result } = startImport(catalog.database.url, UNFINISHED);
      await waitForRows(catalog);
      child.kill("SIGSTOP");
      const next = await importDirectly(catalog.database.url, feedOf(2));
      expect(next.code).toBe(0);
      child.kill("SIGCONT");
      expect((await result).code).toBe(1);
      expect(await catalog.records()).toBe(2);
      reportFault({
        fault: "SIGSTOP of an import (PostgreSQL)",
        tried: 1,
        lost: "nothing",
        checked: "another import gets the lock within a minute; the stopped one exits 1 when it continues",
      });
    });
  });
}
