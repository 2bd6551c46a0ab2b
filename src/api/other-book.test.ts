import { expect, test } from "bun:test";
import { importBooks } from "../stores/testing/books.ts";
import { SQLITE } from "../stores/testing/engines.ts";
import { createTestApi } from "./testing/api.ts";
import { BOOKS, entryOf } from "./testing/books.ts";

test("the record of another book is 500, never 200", async () => {
  await using api = await createTestApi(SQLITE, { books: false });
  const [requested, other] = [entryOf(BOOKS[0]!), entryOf(BOOKS[1]!)];
  await importBooks(api.store, [{ ...other, isbn: requested.isbn }]);
  expect((await api.get(`/api/isbn/${requested.isbn}`)).status).toBe(500);
  expect((await api.get(`/api/isbns/${requested.isbn}`)).status).toBe(500);
  await importBooks(api.store, [requested]);
  expect((await api.get(`/api/isbn/${requested.isbn}`)).status).toBe(200);
});
