/** `missing=skip` of /api/isbns: the books that are there. */
import { describe, expect, test } from "bun:test";
import { importBooks } from "../stores/testing/books.ts";
import { ENGINES } from "../stores/testing/engines.ts";
import { createTestApi } from "./testing/api.ts";
import { BOOKS, entryOf, longListIsbn, UNKNOWN_ISBN } from "./testing/books.ts";
import { sharedApi } from "./testing/shared-api.ts";

const [FIRST, SECOND] = [BOOKS[0]!.isbn, BOOKS[1]!.isbn];
const OTHER_UNKNOWN = "9780000000019";
/** 4 kB have room for 292 ISBNs with their commas. */
const MOST_LISTED = 292;

for (const engine of ENGINES) {
  describe(`/api/isbns?missing=skip (${engine.name})`, () => {
    const api = sharedApi(() => createTestApi(engine));

    const skip = (isbns: readonly string[], headers: Record<string, string> = {}) =>
      api.get(`/api/isbns/${isbns.join(",")}?missing=skip`, { headers });

    test("returns the books that are there, in the requested order, repeated ones repeated", async () => {
      const response = await skip([SECOND, UNKNOWN_ISBN, FIRST, OTHER_UNKNOWN, SECOND, UNKNOWN_ISBN]);
      expect(response.status).toBe(200);
      expect(response.json.map((book: { RecordReference: string }) => book.RecordReference)).toEqual([
        SECOND,
        FIRST,
        SECOND,
      ]);
      expect(response.headers.get("x-missing-count")).toBe("2");
      expect(response.headers.get("x-missing")).toBe(`${UNKNOWN_ISBN},${OTHER_UNKNOWN}`);
    });

    test("returns the same bytes as without the parameter when no book is missing", async () => {
      const [all, skipped] = [await api.get(`/api/isbns/${SECOND},${FIRST}`), await skip([SECOND, FIRST])];
      expect(skipped.text).toBe(all.text);
      expect(skipped.headers.get("etag")).toBe(all.headers.get("etag"));
      expect(skipped.headers.get("x-missing-count")).toBe("0");
      expect(skipped.headers.has("x-missing")).toBe(false);
      expect(all.headers.has("x-missing-count")).toBe(false);
    });

    test("returns an empty list when all books are missing", async () => {
      const response = await skip([UNKNOWN_ISBN]);
      expect([response.status, response.text]).toEqual([200, "[]"]);
      expect(response.headers.get("x-missing-count")).toBe("1");
    });

    test("lists the missing ISBNs up to 4 kB, and counts them beyond", async () => {
      const unknown = Array.from({ length: MOST_LISTED + 1 }, (_, index) => longListIsbn(index));
      const most = await skip([FIRST, ...unknown.slice(1)]);
      expect(most.headers.get("x-missing")).toBe(unknown.slice(1).join(","));
      expect(most.headers.get("x-missing-count")).toBe(String(MOST_LISTED));
      const more = await skip([FIRST, ...unknown]);
      expect(more.headers.has("x-missing")).toBe(false);
      expect(more.headers.get("x-missing-count")).toBe(String(MOST_LISTED + 1));
      expect(more.json).toHaveLength(1);
    });

    test("has the same headers for HEAD, in every encoding, from the cache, and not in a 304", async () => {
      for (const coding of ["identity", "gzip", "zstd"]) {
        // The third request is a cache hit.
        for (let count = 0; count < 3; count++) {
          const response = await skip([FIRST, UNKNOWN_ISBN], { "Accept-Encoding": coding });
          expect([response.json.length, response.headers.get("x-missing")]).toEqual([1, UNKNOWN_ISBN]);
        }
        const etag = (await skip([FIRST, UNKNOWN_ISBN], { "Accept-Encoding": coding })).headers.get("etag")!;
        const unchanged = await skip([FIRST, UNKNOWN_ISBN], {
          "Accept-Encoding": coding,
          "If-None-Match": etag,
        });
        expect([unchanged.status, unchanged.headers.has("x-missing")]).toEqual([304, false]);
      }
      const head = await api.get(`/api/isbns/${UNKNOWN_ISBN}?missing=skip`, { method: "HEAD" });
      expect([head.status, head.headers.get("x-missing-count")]).toEqual([200, "1"]);
    });

    test("is 404 without the parameter, also after a request with it", async () => {
      await skip([FIRST, UNKNOWN_ISBN]);
      const response = await api.get(`/api/isbns/${FIRST},${UNKNOWN_ISBN}`);
      expect([response.status, response.json.missing]).toEqual([404, [UNKNOWN_ISBN]]);
      expect(response.headers.has("x-missing")).toBe(false);
    });

    test("leaves no snapshot open", () => {
      expect(api.observed.openSnapshots).toBe(0);
    });
  });
}

test("a book that is imported between two requests is no longer missing", async () => {
  for (const engine of ENGINES) {
    await using api = await createTestApi(engine, { books: false });
    const path = `/api/isbns/${FIRST}?missing=skip`;
    for (let count = 0; count < 3; count++) expect((await api.get(path)).text).toBe("[]");
    await importBooks(api.store, [entryOf(BOOKS[0]!)]);
    const response = await api.get(path);
    expect([response.json.length, response.headers.get("x-missing-count")]).toEqual([1, "0"]);
  }
});
