import { expect, test } from "bun:test";
import type { Snapshot } from "../../catalog/store.ts";
import { book, books, collect, importBooks, isbn } from "../testing/books.ts";
import { queryValue } from "./testing/server.ts";
import { errorOf, openTestStore } from "./testing/test-store.ts";

const inTransaction = `SELECT count(*)::integer FROM pg_stat_activity
  WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()`;

test("readers of one state share a few connections; with the last of them the transactions end", async () => {
  await using it = await openTestStore();
  await importBooks(it.store, books(1, 100));
  const views = await Promise.all(Array.from({ length: 50 }, () => it.store.snapshot()));
  expect(await queryValue(it.database.url, inTransaction)).toBe(4);
  await Promise.all(views.map(async (view) => expect(await collect(view.isbns())).toHaveLength(100)));
  for (const view of views) view.close();
  while ((await queryValue(it.database.url, inTransaction)) !== 0) await Bun.sleep(5);
});

test("a view that is opened while others are open is no older than its opening", async () => {
  await using it = await openTestStore();
  const views: Snapshot[] = [];
  for (let round = 1; round <= 10; round++) {
    await importBooks(it.store, [book(round)]);
    for (let more = 0; more < 5; more++) views.push(await it.store.snapshot());
    for (const view of views.slice(-5)) expect(await view.missing([isbn(round)])).toEqual([]);
    // The oldest go, as readers do.
    for (const view of views.splice(0, Math.max(0, views.length - 12))) view.close();
  }
  for (const view of views) view.close();
});

test("when many imports have passed a reader by, it is the oldest that breaks off, and only that", async () => {
  await using it = await openTestStore();
  const views: Snapshot[] = [];
  for (let round = 1; round <= 17; round++) {
    await importBooks(it.store, [book(round)]);
    views.push(await it.store.snapshot());
  }
  expect(await queryValue(it.database.url, inTransaction)).toBe(16);
  expect(await errorOf(() => collect(views[0]!.isbns()))).not.toBe("nothing");
  for (const [at, view] of views.entries()) {
    if (at > 0) expect(await collect(view.isbns())).toHaveLength(at + 1);
    view.close();
  }
});

test("a change that the revision does not show, of a reference, is seen by the next view", async () => {
  await using it = await openTestStore();
  await importBooks(it.store, [book(1, { reference: "old" })]);
  const before = await Promise.all(Array.from({ length: 8 }, () => it.store.snapshot()));
  await importBooks(it.store, [book(1, { reference: "new" })]);
  const after = await it.store.snapshot();
  const reference = async (view: Snapshot) => (await collect(view.entries()))[0]?.reference;
  expect([await reference(before[7]!), await reference(after)]).toEqual(["old", "new"]);
  for (const view of [...before, after]) view.close();
});

/** The planner must take the index of the list, however small the imprint and however fresh the catalog. */
test("a list of a small imprint is not searched for in the whole catalog", async () => {
  await using it = await openTestStore();
  await importBooks(it.store, [
    ...books(1, 20_000, { imprint: "Large", published: "20200101", title: "x".repeat(200) }),
    ...books(20_001, 20_003, { imprint: "Small", published: "20240101" }),
  ]);
  const view = await it.store.snapshot();
  const read = "SELECT sum(idx_tup_read)::integer FROM pg_stat_user_indexes WHERE schemaname = 'colophon'";
  const seq = "SELECT seq_tup_read::integer FROM pg_stat_user_tables WHERE relname = 'record'";
  const counted = async () =>
    Number(await queryValue(it.database.url, read)) + Number(await queryValue(it.database.url, seq));
  const before = await counted();
  expect(await collect(view.bodies({ by: "imprint", slug: "small" }))).toHaveLength(3);
  expect(await collect(view.bodies({ by: "date", from: "20230101" as never }))).toHaveLength(3);
  view.close();
  await it.store.close();
  // The server's figures come with the end of a session at the latest.
  for (let tries = 0; tries < 100 && (await counted()) === before; tries++) await Bun.sleep(20);
  expect((await counted()) - before).toBeLessThan(200);
});
