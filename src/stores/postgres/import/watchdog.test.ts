/** Imports whose server or network is silent, slow or gone. */
import { describe, expect, test } from "bun:test";
import { SQL } from "bun";
import type { ImportTransaction, Store } from "../../../catalog/store.ts";
import { anyRun } from "../../../catalog/testing/import-runs.ts";
import { waitFor } from "../../../lib/testing/wait-for.ts";
import { book, books, importBooks, isbn } from "../../testing/books.ts";
import { type NetworkProxy, startNetworkProxy } from "../testing/network-proxy.ts";
import { queryValue } from "../testing/sql.ts";
import { errorOf, openTestStore, type PostgresTestStore } from "../testing/test-store.ts";
import { IMPORT_DEADLINES, type ImportDeadlines } from "./session.ts";

/** Each test shortens the deadlines that it is about. The others are too long to matter. */
const PATIENT: ImportDeadlines = {
  ...IMPORT_DEADLINES,
  maxMissedRounds: 1_000_000,
  maxStalledRounds: 1_000_000,
  maxIdleHolderRounds: 1_000_000,
  shortStatementMs: 300_000,
  outcomeMs: 300_000,
};

interface ProxiedStore extends AsyncDisposable {
  readonly direct: PostgresTestStore;
  readonly proxy: NetworkProxy;
  /** The same catalog, through the proxy. */
  readonly store: Store;
}

async function openThroughProxy(deadlines: Partial<ImportDeadlines>): Promise<ProxiedStore> {
  const direct = await openTestStore();
  await importBooks(direct.store, [book(1)]);
  const proxy = await startNetworkProxy(direct.database.url);
  const store = direct.reopen({ importDeadlines: { ...PATIENT, ...deadlines } }, proxy.url);
  return {
    direct,
    proxy,
    store,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await direct[Symbol.asyncDispose]();
    },
  };
}

const LONG_TITLE = "t".repeat(100_000);

/** Sends more than the buffers of a socket hold. */
async function putMuch(transaction: ImportTransaction): Promise<void> {
  for (let number = 100; number < 400; number += 10) {
    await transaction.put(books(number, number + 9, { title: LONG_TITLE }), 1);
  }
}

/** Begins a COPY, and returns when the server has rows of it. */
async function beginCopy(transaction: ImportTransaction, databaseUrl: string): Promise<void> {
  await transaction.statusOf(books(10, 40).map((entry) => entry.isbn));
  await transaction.put(books(10, 40, { title: LONG_TITLE }), 1);
  await waitFor("the server reads rows", async () => (await activity(databaseUrl, "count(*)", COPYING)) > 0);
}

const COPYING = "query LIKE 'COPY colophon.record%' AND wait_event = 'ClientRead'";

async function activity(databaseUrl: string, expression: string, condition = "true"): Promise<number> {
  return Number(
    await queryValue(
      databaseUrl,
      `SELECT ${expression} FROM pg_stat_activity WHERE datname = current_database()
       AND application_name = 'colophon import' AND ${condition}`,
    ),
  );
}

describe.concurrent("a network that becomes silent", () => {
  const deadlines = { roundMs: 500, maxMissedRounds: 4 };
  const noResponse = /^StoreError: PostgreSQL at .* has not responded for 2 s; /;

  const situations: Record<string, (transaction: ImportTransaction) => unknown> = {
    "while it waits for a result": (transaction) => transaction.statusOf([isbn(1)]),
    "while it sends more rows than the network takes": async (transaction) => {
      await putMuch(transaction);
      await transaction.statusOf([isbn(100)]);
    },
    "while it waits for a slow feed": (transaction) => transaction.failure,
    "before the commit": (transaction) => transaction.commit("1".repeat(32), anyRun()),
    "before the rollback": async (transaction) => {
      await transaction.abort();
      await transaction.failure;
    },
  };
  for (const [situation, act] of Object.entries(situations)) {
    test(`fails an import ${situation}, which leaves nothing`, async () => {
      await using proxied = await openThroughProxy(deadlines);
      const transaction = await proxied.store.beginImport();
      proxied.proxy.silence("requests", "responses");
      expect(await errorOf(() => act(transaction))).toMatch(noResponse);
      await transaction.abort();
      expect((await proxied.direct.store.stats()).records).toBe(1);
    });
  }

  test("fails an import that waits for another one", async () => {
    await using proxied = await openThroughProxy(deadlines);
    const other = await proxied.direct.store.beginImport();
    const waiting = errorOf(() => proxied.store.beginImport());
    const waits = waitFor("an import waits", async () =>
      Boolean(await activity(proxied.direct.database.url, "count(*)", "wait_event_type = 'Lock'")),
    );
    // A busy machine can be silent for the time before that.
    await Promise.race([waits, waiting]);
    proxied.proxy.silence("responses");
    expect(await waiting).toMatch(noResponse);
    await other.abort();
  });
});

describe.concurrent("one connection that becomes silent", () => {
  for (const direction of ["requests", "responses"] as const) {
    test(`fails an import that gets no result, when ${direction} are lost`, async () => {
      await using proxied = await openThroughProxy({ roundMs: 100, maxStalledRounds: 3 });
      const transaction = await proxied.store.beginImport();
      await transaction.put([book(2)], 1);
      proxied.proxy.onSent(
        "FROM pg_temp.seen",
        (connection) => connection.silence(direction),
        direction === "responses",
      );
      expect(await errorOf(() => transaction.statusOf([isbn(2)]))).toMatch(
        /^StoreError: A connection of the import to PostgreSQL at .* is dead/,
      );
      await transaction.abort();
    });
  }

  test("fails an import that sends more rows than the network takes", async () => {
    await using proxied = await openThroughProxy({ roundMs: 100, maxStalledRounds: 3 });
    const transaction = await proxied.store.beginImport();
    proxied.proxy.onSent("COPY colophon.record", (connection) => connection.silence("requests"));
    expect(
      await errorOf(async () => {
        await transaction.statusOf(books(100, 399).map((entry) => entry.isbn));
        await putMuch(transaction);
        await transaction.statusOf([isbn(100)]);
      }),
    ).toMatch(/is dead/);
    await transaction.abort();
  });
});

test.concurrent("a server that takes longer than all deadlines is waited for", async () => {
  await using proxied = await openThroughProxy({
    roundMs: 50,
    maxStalledRounds: 2,
  });
  const { database } = proxied.direct;
  const blocker = new SQL(database.url, { max: 1 });
  const blocking = await blocker.reserve();
  const transaction = await proxied.store.beginImport();
  await blocking.unsafe("BEGIN; LOCK TABLE colophon.sender IN ACCESS EXCLUSIVE MODE");
  const message = transaction.lastMessage("");
  const blockedMs = "extract(epoch FROM clock_timestamp() - max(query_start)) * 1000";
  await waitFor(
    "a statement takes ten rounds",
    async () => (await activity(database.url, blockedMs, "wait_event_type = 'Lock'")) > 500,
  );
  await blocking.unsafe("ROLLBACK");
  await blocker.close({ timeout: 0 });
  expect(await message).toBeUndefined();
  await transaction.abort();
});

describe.concurrent("an import whose machine or process has stopped", () => {
  test("loses its lock when it is idle", async () => {
    await using proxied = await openThroughProxy({ maxIdleMs: 6000, maxHeartbeatMs: 100 });
    await proxied.store.beginImport();
    proxied.proxy.silence("requests", "responses");
    // Waits for the lock until the server ends the other session.
    const next = proxied.direct.reopen({ importDeadlines: PATIENT });
    await importBooks(next, [book(2)]);
    expect((await next.stats()).records).toBe(2);
  });

  test("loses its lock to the next import in the middle of a COPY", async () => {
    await using proxied = await openThroughProxy({ maxHeartbeatMs: 1_000_000 });
    const { database } = proxied.direct;
    await beginCopy(await proxied.store.beginImport(), database.url);
    const next = proxied.direct.reopen({
      importDeadlines: { ...PATIENT, roundMs: 100, maxIdleHolderRounds: 4 },
    });
    await importBooks(next, [book(2)]);
    expect((await next.stats()).records).toBe(2);
  });

  test("keeps its lock as long as it has a heartbeat, also in the middle of a COPY", async () => {
    await using proxied = await openThroughProxy({ maxHeartbeatMs: 50 });
    const transaction = await proxied.store.beginImport();
    await transaction.put(books(10, 40, { title: LONG_TITLE }), 1);
    // Twice as long as the other import would wait without a heartbeat.
    const next = proxied.direct.reopen({
      importLockTimeoutMs: 4000,
      importDeadlines: { ...PATIENT, roundMs: 250, maxIdleHolderRounds: 8 },
    });
    expect(await errorOf(() => next.beginImport())).toMatch(/^StoreError: Another import/);
    await transaction.commit("1".repeat(32), anyRun());
    expect((await next.stats()).records).toBe(32);
  });
});
