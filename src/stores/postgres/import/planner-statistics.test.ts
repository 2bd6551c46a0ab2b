import { expect, test } from "bun:test";
import { book, books, importBooks } from "../../testing/books.ts";
import { queryValue, runStatements } from "../testing/sql.ts";
import { openTestStore } from "../testing/test-store.ts";

const COLUMNS = "SELECT count(*) FROM pg_statistic WHERE starelid = 'colophon.record'::regclass";

test("an import updates the planner's statistics when it adds many books, not when it changes or adds a small part", async () => {
  await using opened = await openTestStore();
  const { store, database } = opened;
  const columns = async () => Number(await queryValue(database.url, COLUMNS));
  await importBooks(store, books(1, 1000));
  expect(await columns()).toBeGreaterThan(0);
  await runStatements(database.url, "DELETE FROM pg_statistic WHERE starelid = 'colophon.record'::regclass");
  await importBooks(store, [...books(1, 1000, { title: "Another" }), book(1001)]);
  expect((await store.stats()).records).toBe(1001);
  expect(await columns()).toBe(0);
});
