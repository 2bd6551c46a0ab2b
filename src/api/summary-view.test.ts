/** `view=summary` of the endpoints that return records. */
import { describe, expect, test } from "bun:test";
import { summaryOfEntry } from "../catalog/entry.ts";
import { ENGINES, SQLITE } from "../stores/testing/engines.ts";
import { exampleSummary, summarySchema } from "./openapi/summary-schema.ts";
import { createTestApi } from "./testing/api.ts";
import { BOOKS, entryOf, UNKNOWN_ISBN } from "./testing/books.ts";
import { expectGet, sharedApi, withQuery } from "./testing/shared-api.ts";

const [FIRST, SECOND] = [BOOKS[0]!, BOOKS[1]!];
const ONE = `/api/isbn/${FIRST.isbn}`;
const LISTS = [
  `/api/isbns/${SECOND.isbn},${FIRST.isbn},${SECOND.isbn}`,
  "/api/imprint/peninsula-imaginaria",
  "/api/imprint/peninsula-imaginaria?language=spa",
  "/api/news",
  "/api/news?date=20260601",
];
const PATHS = [ONE, ...LISTS];

const withView = (path: string, view: string) => withQuery(path, `view=${view}`);

for (const engine of ENGINES) {
  describe(`view=summary (${engine.name})`, () => {
    const api = sharedApi(() => createTestApi(engine));

    test("returns the bytes of the stored summary, with their own validator", async () => {
      const { body, etag } = summaryOfEntry(entryOf(FIRST));
      const response = await api.get(withView(ONE, "summary"));
      expect(response.status).toBe(200);
      expect(Buffer.from(body).equals(response.raw)).toBe(true);
      expect(response.headers.get("etag")).toBe(`"${etag}"`);
      expect(response.json).toMatchObject({ isbn: FIRST.isbn, title: "La Odisea", published: "2026-09-01" });
    });

    test.each(LISTS)("returns the summaries of %s in the order of the records", async (path) => {
      const [records, summaries] = [await api.get(path), await api.get(withView(path, "summary"))];
      const isbns = records.json.map((record: { RecordReference: string }) => record.RecordReference);
      expect(isbns.length).toBeGreaterThan(1);
      expect(summaries.json.map(({ isbn }: { isbn: string }) => isbn)).toEqual(isbns);
      const expected = isbns.map((isbn: string) =>
        Buffer.from(summaryOfEntry(entryOf(BOOKS.find((book) => book.isbn === isbn)!)).body).toString(),
      );
      expect(summaries.text).toBe(`[${expected.join()}]`);
    });

    test.each(PATHS)("gives both views of %s different validators, and 304 for each", async (path) => {
      const [record, summary] = [await api.get(path), await api.get(withView(path, "summary"))];
      const etags = [record, summary].map(({ headers }) => headers.get("etag")!);
      expect(etags[0]).not.toBe(etags[1]);
      const status = async (target: string, etag: string) =>
        (await api.get(target, { headers: { "If-None-Match": etag } })).status;
      expect(await status(withView(path, "summary"), etags[1]!)).toBe(304);
      expect(await status(withView(path, "summary"), etags[0]!)).toBe(200);
      expect(await status(path, etags[1]!)).toBe(200);
    });

    test.each(PATHS)(
      "returns the same bytes and validator for view=record and without it: %s",
      async (path) => {
        const [without, record] = [await api.get(path), await api.get(withView(path, "record"))];
        expect(record.text).toBe(without.text);
        expect(record.headers.get("etag")).toBe(without.headers.get("etag"));
      },
    );

    test("returns 404 for an unknown ISBN", async () => {
      for (const path of [`/api/isbn/${UNKNOWN_ISBN}`, `/api/isbns/${FIRST.isbn},${UNKNOWN_ISBN}`]) {
        await expectGet(api, withView(path, "summary"), { status: 404, message: "Book not found" });
      }
    });

    test("returns the books that are there with missing=skip", async () => {
      const path = `/api/isbns/${UNKNOWN_ISBN},${FIRST.isbn}?missing=skip`;
      const response = await api.get(withView(path, "summary"));
      expect(response.json).toMatchObject([{ isbn: FIRST.isbn, title: "La Odisea" }]);
      expect(response.headers.get("x-missing-count")).toBe("1");
    });
  });
}

test("summaries and records are cached apart, in every coding", async () => {
  await using api = await createTestApi(SQLITE);
  for (const coding of ["identity", "gzip", "zstd"]) {
    for (const path of PATHS) {
      const get = async (target: string) =>
        (await api.get(target, { headers: { "Accept-Encoding": coding } })).text;
      const [record, summary] = [await get(path), await get(withView(path, "summary"))];
      expect(record).not.toBe(summary);
      for (let times = 0; times < 4; times++) {
        expect([await get(path), await get(withView(path, "summary"))]).toEqual([record, summary]);
      }
    }
  }
});

test("the schema of a summary has exactly its members", () => {
  const { required, properties } = summarySchema as { required: string[]; properties: object };
  const members = Object.keys(JSON.parse(new TextDecoder().decode(summaryOfEntry(entryOf(FIRST)).body)));
  expect(required).toEqual(members);
  expect(Object.keys(properties)).toEqual(members);
  expect(Object.keys(exampleSummary)).toEqual(members);
});
