import { expect, test } from "bun:test";
import type { Snapshot } from "../../catalog/store.ts";
import { waitFor } from "../../lib/testing/wait-for.ts";
import type { Day } from "../../onix/date.ts";
import { book, books, collect, importBooks, isbn, readSnapshot } from "../testing/books.ts";
import { queryValue } from "./testing/sql.ts";
import { errorOf, openTestStore } from "./testing/test-store.ts";

const OPEN_TRANSACTIONS = `SELECT count(*)::integer FROM pg_stat_activity
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
  expect(await queryValue(testStore.database.url, OPEN_TRANSACTIONS)).toBe(16);
  expect(await errorOf(() => collect(snapshots[0]!.isbns()))).not.toBe("no error");
  for (const [index, snapshot] of snapshots.entries()) {
    if (index > 0) expect(await collect(snapshot.isbns())).toHaveLength(index + 1);
    snapshot.close();
  }
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
    ...books(1, 20_000, { imprint: "Large", published: "20200101", title: "x".repeat(200) }),
    ...books(20_001, 20_003, { imprint: "Small", published: "20240101" }),
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
