import { expect, test } from "bun:test";
import type { Snapshot } from "../../catalog/store.ts";
import { book, books, collect, importBooks, isbn } from "../testing/books.ts";
import { queryValue } from "./testing/server.ts";
import { errorOf, openTestStore } from "./testing/test-store.ts";

const inTransaction = `SELECT count(*)::integer FROM pg_stat_activity
  WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()`;

test("readers of one state share a few connections; with the last of them the transactions end", async () => {
  await using testStore = await openTestStore();
  await importBooks(testStore.store, books(1, 100));
  const snapshots = await Promise.all(Array.from({ length: 50 }, () => testStore.store.snapshot()));
  expect(await queryValue(testStore.database.url, inTransaction)).toBe(4);
  await Promise.all(
    snapshots.map(async (snapshot) => expect(await collect(snapshot.isbns())).toHaveLength(100)),
  );
  for (const snapshot of snapshots) snapshot.close();
  while ((await queryValue(testStore.database.url, inTransaction)) !== 0) await Bun.sleep(5);
});

test("a snapshot that is opened while others are open is no older than its opening", async () => {
  await using testStore = await openTestStore();
  const snapshots: Snapshot[] = [];
  for (let round = 1; round <= 10; round++) {
    await importBooks(testStore.store, [book(round)]);
    for (let more = 0; more < 5; more++) snapshots.push(await testStore.store.snapshot());
    for (const snapshot of snapshots.slice(-5)) expect(await snapshot.missing([isbn(round)])).toEqual([]);
    // The oldest go, as readers do.
    for (const snapshot of snapshots.splice(0, Math.max(0, snapshots.length - 12))) snapshot.close();
  }
  for (const snapshot of snapshots) snapshot.close();
});

test("when many imports have passed a reader by, it is the oldest that breaks off, and only that", async () => {
  await using testStore = await openTestStore();
  const snapshots: Snapshot[] = [];
  for (let round = 1; round <= 17; round++) {
    await importBooks(testStore.store, [book(round)]);
    snapshots.push(await testStore.store.snapshot());
  }
  expect(await queryValue(testStore.database.url, inTransaction)).toBe(16);
  expect(await errorOf(() => collect(snapshots[0]!.isbns()))).not.toBe("nothing");
  for (const [at, snapshot] of snapshots.entries()) {
    if (at > 0) expect(await collect(snapshot.isbns())).toHaveLength(at + 1);
    snapshot.close();
  }
});

test("a change that the revision does not show, of a reference, is seen by the next snapshot", async () => {
  await using testStore = await openTestStore();
  await importBooks(testStore.store, [book(1, { reference: "old" })]);
  const before = await Promise.all(Array.from({ length: 8 }, () => testStore.store.snapshot()));
  await importBooks(testStore.store, [book(1, { reference: "new" })]);
  const after = await testStore.store.snapshot();
  const reference = async (snapshot: Snapshot) => (await collect(snapshot.entries()))[0]?.reference;
  expect([await reference(before[7]!), await reference(after)]).toEqual(["old", "new"]);
  for (const snapshot of [...before, after]) snapshot.close();
});

/** The planner must take the index of the list, however small the imprint and however fresh the catalog. */
test("a list of a small imprint is not searched for in the whole catalog", async () => {
  await using testStore = await openTestStore();
  await importBooks(testStore.store, [
    ...books(1, 20_000, { imprint: "Large", published: "20200101", title: "x".repeat(200) }),
    ...books(20_001, 20_003, { imprint: "Small", published: "20240101" }),
  ]);
  const snapshot = await testStore.store.snapshot();
  const read = "SELECT sum(idx_tup_read)::integer FROM pg_stat_user_indexes WHERE schemaname = 'colophon'";
  const seq = "SELECT seq_tup_read::integer FROM pg_stat_user_tables WHERE relname = 'record'";
  const counted = async () =>
    Number(await queryValue(testStore.database.url, read)) +
    Number(await queryValue(testStore.database.url, seq));
  const before = await counted();
  expect(await collect(snapshot.bodies({ kind: "imprint", slug: "small" }))).toHaveLength(3);
  expect(await collect(snapshot.bodies({ kind: "date", from: "20230101" as never }))).toHaveLength(3);
  snapshot.close();
  await testStore.store.close();
  // The server's figures come with the end of a session at the latest.
  for (let tries = 0; tries < 100 && (await counted()) === before; tries++) await Bun.sleep(20);
  expect((await counted()) - before).toBeLessThan(200);
});
