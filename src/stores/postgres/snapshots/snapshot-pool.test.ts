import { describe, expect, spyOn, test } from "bun:test";
import type { Snapshot } from "../../../catalog/store.ts";
import { waitFor } from "../../../lib/testing/wait-for.ts";
import type { Day } from "../../../onix/date.ts";
import { book, books, collect, importBooks, isbn, readSnapshot } from "../../testing/books.ts";
import type { PostgresOptions } from "../store.ts";
import { queryValue, runStatements } from "../testing/sql.ts";
import { errorOf, openTestStore, type PostgresTestStore } from "../testing/test-store.ts";
import { ReadTransaction } from "./read-transaction.ts";

const OPEN_TRANSACTIONS = `SELECT count(*)::integer FROM pg_stat_activity
  WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()`;

const END_TRANSACTIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()`;

const OTHER_SESSIONS = `SELECT count(*)::integer FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;
const INDEX_ROWS_READ = `SELECT sum(idx_tup_read)::integer FROM pg_stat_user_indexes
  WHERE schemaname = 'colophon'`;
const TABLE_ROWS_READ = "SELECT seq_tup_read::integer FROM pg_stat_user_tables WHERE relname = 'record'";

test("snapshots of one state share four transactions, which end with the last snapshot", async () => {
  await using testStore = await openTestStore();
  await importBooks(testStore.store, books(1, 100));
  const snapshots = await Promise.all(Array.from({ length: 50 }, () => testStore.store.snapshot()));
  expect(await queryValue(testStore.database.url, OPEN_TRANSACTIONS)).toBe(4);
  await Promise.all(
    snapshots.map(async (snapshot) => expect(await collect(snapshot.isbns())).toHaveLength(100)),
  );
  for (const snapshot of snapshots) snapshot.close();
  await waitFor(
    "the transactions have ended",
    async () => (await queryValue(testStore.database.url, OPEN_TRANSACTIONS)) === 0,
  );
});

test.each([
  [4, "reads the next page ahead", 2],
  [5, "reads no page ahead: others wait for its session", 1],
])("with %d snapshots, a list %s", async (count, _, queries) => {
  await using testStore = await openTestStore();
  await importBooks(testStore.store, books(1, 300, { imprint: "A", title: "t".repeat(1000) }));
  const snapshots = await Promise.all(Array.from({ length: count }, () => testStore.store.snapshot()));
  using execute = spyOn(ReadTransaction.prototype, "execute");
  for await (const _page of snapshots[0]!.bodies({ kind: "imprint", slug: "a" })) break;
  expect(execute).toHaveBeenCalledTimes(queries);
  for (const snapshot of snapshots) snapshot.close();
});

test("a snapshot does not join a transaction of another state with the same generation", async () => {
  await using testStore = await openTestStore();
  const { store, database } = testStore;
  await importBooks(store, books(1, 10));
  const snapshots = await Promise.all(Array.from({ length: 4 }, () => store.snapshot()));
  // As a server that took over can have it.
  await runStatements(database.url, "UPDATE colophon.catalog SET revision = repeat('a', 32)");
  snapshots.push(await store.snapshot());
  expect(snapshots.at(-1)!.revision).toBe("a".repeat(32));
  for (const snapshot of snapshots) snapshot.close();
});

test("a snapshot is never older than the call that opens it", async () => {
  await using testStore = await openTestStore();
  const snapshots: Snapshot[] = [];
  for (let round = 1; round <= 10; round++) {
    await importBooks(testStore.store, [book(round)]);
    for (let count = 0; count < 5; count++) snapshots.push(await testStore.store.snapshot());
    for (const snapshot of snapshots.slice(-5)) expect(await snapshot.missing([isbn(round)])).toEqual([]);
    // Close the oldest snapshots.
    for (const snapshot of snapshots.splice(0, Math.max(0, snapshots.length - 12))) snapshot.close();
  }
  for (const snapshot of snapshots) snapshot.close();
});

test("with 17 states open, only the oldest snapshot fails", async () => {
  await using testStore = await openTestStore();
  const snapshots: Snapshot[] = [];
  for (let round = 1; round <= 17; round++) {
    await importBooks(testStore.store, [book(round)]);
    snapshots.push(await testStore.store.snapshot());
  }
  // The server ends the transaction of the oldest one in its own time.
  await waitFor(
    "16 transactions are open",
    async () => (await queryValue(testStore.database.url, OPEN_TRANSACTIONS)) === 16,
  );
  expect(await errorOf(() => collect(snapshots[0]!.isbns()))).not.toBe("no error");
  for (const [index, snapshot] of snapshots.entries()) {
    if (index > 0) expect(await collect(snapshot.isbns())).toHaveLength(index + 1);
    snapshot.close();
  }
});

describe("a snapshot that has released its transaction", () => {
  /** Creates a store with a list of several pages. */
  async function createStore(): Promise<PostgresTestStore> {
    const testStore = await openTestStore();
    await importBooks(testStore.store, books(1, 600, { imprint: "A", title: "t".repeat(1000) }));
    return testStore;
  }

  /** Opens a snapshot and reads the first page of its list. */
  async function openList(testStore: PostgresTestStore, options: PostgresOptions = {}, url?: string) {
    const snapshot = await testStore.reopen(options, url).snapshot();
    const list = snapshot.bodies({ kind: "imprint", slug: "a" }) as AsyncGenerator<readonly Uint8Array[]>;
    const seen = (await list.next()).value!.length;
    expect(seen).toBeLessThan(600);
    return { snapshot, list, seen };
  }

  async function rest(list: AsyncGenerator<readonly Uint8Array[]>): Promise<number> {
    return (await collect(list)).length;
  }

  const transactionsEnd = (testStore: PostgresTestStore) =>
    waitFor(
      "the transactions have ended",
      async () => (await queryValue(testStore.database.url, OPEN_TRANSACTIONS)) === 0,
    );

  test("is read to its end while the catalog stays the same", async () => {
    await using testStore = await createStore();
    const { snapshot, list, seen } = await openList(testStore, { snapshotHoldMs: 50 });
    await transactionsEnd(testStore);
    expect(seen + (await rest(list))).toBe(600);
    expect(await collect(snapshot.isbns())).toHaveLength(600);
    expect((await collect(snapshot.imprints())).map(({ slug }) => slug)).toEqual(["a"]);
    snapshot.close();
  });

  test("throws SnapshotExpired after an import that changes a record", async () => {
    await using testStore = await createStore();
    const { snapshot, list } = await openList(testStore, { snapshotHoldMs: 50 });
    await transactionsEnd(testStore);
    await importBooks(testStore.store, [book(1, { imprint: "A", title: "new" })]);
    expect(await errorOf(() => rest(list))).toMatch(
      /^SnapshotExpired: The list was cut off: .* for more than a minute;/,
    );
    expect(await errorOf(() => collect(snapshot.isbns()))).toMatch(/^SnapshotExpired/);
    expect(await errorOf(() => snapshot.missing([isbn(1)]))).toMatch(/^SnapshotExpired/);
    snapshot.close();
  });

  test("names the pooler as the reason when it never had a transaction", async () => {
    await using testStore = await createStore();
    const { snapshot, list } = await openList(testStore, {}, `${testStore.database.url}?prepare=false`);
    await importBooks(testStore.store, [book(1, { imprint: "A", title: "new" })]);
    expect(await errorOf(() => rest(list))).toMatch(
      /^SnapshotExpired: .* through a pooler no list holds its state;/,
    );
    snapshot.close();
  });

  test("names the end of its transaction as the reason when the server has ended it", async () => {
    await using testStore = await createStore();
    const { snapshot, list } = await openList(testStore);
    await runStatements(testStore.database.url, END_TRANSACTIONS);
    await transactionsEnd(testStore);
    await importBooks(testStore.store, [book(1, { imprint: "A", title: "new" })]);
    expect(await errorOf(() => rest(list))).toMatch(
      /^SnapshotExpired: .* transaction of the list had ended early;/,
    );
    snapshot.close();
  });

  test("is read on when the role's timeout has ended its transaction", async () => {
    await using testStore = await createStore();
    const { url, name } = testStore.database;
    await runStatements(url, `ALTER DATABASE ${name} SET idle_in_transaction_session_timeout = '50ms'`);
    const { snapshot, list, seen } = await openList(testStore);
    await transactionsEnd(testStore);
    expect(seen + (await rest(list))).toBe(600);
    snapshot.close();
  });
});

test("load returns the open lists, the age of the oldest, and the connections", async () => {
  await using testStore = await openTestStore();
  const { store } = testStore;
  expect(store.load!()).toEqual({ openLists: 0, oldestListMs: 0, poolConnections: 0 });
  const snapshots = [await store.snapshot(), await store.snapshot()];
  await waitFor("the oldest list has an age", () => store.load!().oldestListMs! >= 1);
  const sessions = await queryValue(testStore.database.url, OTHER_SESSIONS);
  expect(store.load!()).toMatchObject({ openLists: 2, poolConnections: sessions });
  for (const snapshot of snapshots) snapshot.close();
  expect(store.load!()).toMatchObject({ openLists: 0, oldestListMs: 0 });
});

test("the next snapshot has a changed reference, which the revision does not include", async () => {
  await using testStore = await openTestStore();
  await importBooks(testStore.store, [book(1, { reference: "old" })]);
  const before = await Promise.all(Array.from({ length: 8 }, () => testStore.store.snapshot()));
  await importBooks(testStore.store, [book(1, { reference: "new" })]);
  const after = await testStore.store.snapshot();
  const reference = async (snapshot: Snapshot) => (await collect(snapshot.entries()))[0]?.reference;
  expect([await reference(before[7]!), await reference(after)]).toEqual(["old", "new"]);
  for (const snapshot of [...before, after]) snapshot.close();
});

/** The planner must use the index of the list, even for a small imprint right after an import. */
test("listing a small imprint does not scan the whole catalog", async () => {
  await using testStore = await openTestStore();
  const { url } = testStore.database;
  const sessionsClosed = () =>
    waitFor("all sessions are closed", async () => (await queryValue(url, OTHER_SESSIONS)) === 0);
  const rowsRead = async () =>
    Number(await queryValue(url, INDEX_ROWS_READ)) + Number(await queryValue(url, TABLE_ROWS_READ));
  await importBooks(testStore.store, [
    ...books(1, 4000, { imprint: "Large", published: "20200101", title: "x".repeat(200) }),
    ...books(4001, 4003, { imprint: "Small", published: "20240101" }),
  ]);
  await testStore.store.close();
  // A session writes its statistics at its end at the latest.
  await sessionsClosed();
  await queryValue(url, "SELECT pg_stat_reset()");
  const store = testStore.reopen();
  await readSnapshot(store, async (snapshot) => {
    expect(await collect(snapshot.bodies({ kind: "imprint", slug: "small" }))).toHaveLength(3);
    expect(await collect(snapshot.bodies({ kind: "date", from: "20230101" as Day }))).toHaveLength(3);
  });
  await store.close();
  await sessionsClosed();
  await waitFor("the statistics are written", async () => (await rowsRead()) > 0);
  expect(await rowsRead()).toBeLessThan(200);
});
