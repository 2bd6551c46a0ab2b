import { describe, expect, test } from "bun:test";
import { hasValidCheckDigit, type Isbn13 } from "../onix/isbn.ts";
import { importBooks } from "../stores/testing/books.ts";
import { ENGINES, SQLITE } from "../stores/testing/engines.ts";
import { createTestApi } from "./testing/api.ts";
import { BOOKS, entryOf, expectedRecord, TODAY, UNKNOWN_ISBN } from "./testing/books.ts";
import { expectGet, sharedApi } from "./testing/shared-api.ts";

const ISBNS = BOOKS.map(({ isbn }) => isbn);
const PENINSULA_ISBNS = ["9789999923019", "9789999923026", "9789999923033", "9789999923040"];
const REPEATED_ISBNS = ["9797999900017", "9789999923019", "9797999900017", "9789999900010"];
const NEWEST_ISBNS = ["9789999923019", "9789999924016", "9789999925013"];
const PENINSULA = "/api/imprint/peninsula-imaginaria";
const isbnsOf = (records: { RecordReference: string }[]) => records.map((record) => record.RecordReference);
const notFound = (message: string, detail: string, more = {}) => ({
  status: 404,
  json: { type: "about:blank", title: "Not Found", status: 404, message, detail, ...more },
});

for (const engine of ENGINES) {
  describe(engine.name, () => {
    const api = sharedApi(() => createTestApi(engine));

    describe("GET /api/isbn/{isbn}", () => {
      test("returns the record with the bytes that are stored", async () => {
        const { body, etag } = entryOf(BOOKS[0]!);
        const response = await expectGet(api, "/api/isbn/9789999923019", {
          json: expectedRecord("9789999923019"),
          headers: {
            "content-type": "application/json",
            "cache-control": "private, no-cache",
            vary: "Accept-Encoding, Authorization",
            etag: `"${etag}"`,
            "content-length": String(body.length),
          },
        });
        expect(Buffer.from(body).equals(response.raw)).toBe(true);
      });

      test.each([
        ["978-99999-23-01-9", "9789999923019"],
        ["978%2099999%2023019", "9789999923019"],
        ["9999923011", "9789999923019"],
        ["99999-2301-1", "9789999923019"],
        ["9789999927025", "9789999927025"],
        ["9797999900017", "9797999900017"],
      ])("returns for %s the record of %s", (parameter, isbn) =>
        expectGet(api, `/api/isbn/${parameter}`, { json: expectedRecord(isbn) }),
      );

      test.each(["X", "x"])("accepts an ISBN-10 that ends in %s", (x) =>
        expectGet(api, `/api/isbn/080442957${x}`, {
          status: 404,
          message: "Book not found",
          detail: "9780804429573",
        }),
      );

      test("returns 404 for an unknown ISBN, whatever its check digit", async () => {
        for (const isbn of [UNKNOWN_ISBN, "9789999923010", "0000000000000"]) {
          const expected = notFound("Book not found", `The catalog has no book with the ISBN ${isbn}.`);
          await expectGet(api, `/api/isbn/${isbn}`, expected);
        }
        expect(hasValidCheckDigit("9789999923010" as Isbn13)).toBe(false);
      });
    });

    describe("GET /api/isbns/{isbns}", () => {
      test.each([
        [REPEATED_ISBNS.join(), REPEATED_ISBNS],
        ["9789999923019", ["9789999923019"]],
        ["99999-2301-1%2C978-99999-23-02-6,%209789999923033", PENINSULA_ISBNS.slice(0, 3)],
      ])("returns a record for each of %s, in the requested order", (list, isbns) =>
        expectGet(api, `/api/isbns/${list}`, { json: isbns.map(expectedRecord) }),
      );

      test("returns 404 with the missing ISBNs, in the requested order, each once", async () => {
        const two = `/api/isbns/${UNKNOWN_ISBN},9789999923019,9780000000002,${UNKNOWN_ISBN}`;
        const missing = [UNKNOWN_ISBN, "9780000000002"];
        const detail = "2 of 3 ISBNs are not in the catalog.";
        await expectGet(api, two, notFound("Book not found", detail, { missing }));
        const one = await api.get(`/api/isbns/9789999923019,${UNKNOWN_ISBN},9789999923026`);
        expect(one.json.detail).toBe("1 of 3 ISBNs is not in the catalog.");
      });

      test("returns 1,000 records, and 400 with the limit for 1,001", async () => {
        const isbns = Array.from({ length: 1000 }, (_, index) => ISBNS[index % ISBNS.length]!);
        const response = await expectGet(api, `/api/isbns/${isbns.join(",")}`, 200);
        expect(isbnsOf(response.json)).toEqual(isbns);
        const tooMany = `/api/isbns/${[...isbns, isbns[0]].join(",")}`;
        await expectGet(api, tooMany, { status: 400, message: "Bad Request", detail: "1000" });
      });
    });

    describe("GET /api/imprint/{imprint}", () => {
      const NAMES = [
        "Pen%C3%ADnsula%20Imaginaria",
        "PENINSULA-IMAGINARIA",
        "Peni%CC%81nsula%20%20imaginaria",
      ];

      test.each(["peninsula-imaginaria", ...NAMES])("returns the records of %s, ordered by ISBN", (name) =>
        expectGet(api, `/api/imprint/${name}`, { json: PENINSULA_ISBNS.map(expectedRecord) }),
      );

      test("takes the imprint from one path segment that is decoded once", async () => {
        const json = ["9789999924016", "9789999924023"].map(expectedRecord);
        for (const name of ["10%2F18", "10-18", "10+18"])
          await expectGet(api, `/api/imprint/${name}`, { json });
        await expectGet(api, "/api/imprint/10/18", { status: 404, message: "Not Found" });
        // %252F is the text %2F, which has another slug.
        await expectGet(api, "/api/imprint/10%252F18", { status: 404, message: "Imprint not found" });
      });

      test.each(["nobody", "---", "%00", "peninsula"])("returns 404 for %s", (name) =>
        expectGet(api, `/api/imprint/${name}`, { status: 404, message: "Imprint not found" }),
      );

      test.each([
        ["spa", ["9789999923019", "9789999923026", "9789999923040"]],
        ["ENG", ["9789999923033", "9789999923040"]],
        ["fre", []],
      ])("returns with ?language=%s only the books whose text is in that language", (language, isbns) =>
        expectGet(api, `${PENINSULA}?language=${language}`, { json: isbns.map(expectedRecord) }),
      );

      test("ignores unknown parameters, also malformed ones", () =>
        expectGet(api, "/api/imprint/zeta?lang=xx&Language=xx&%zz=1&&=&date=20260101&date=1", 200));
    });

    test("GET /api/imprints returns all imprints that have records, ordered by slug", async () => {
      const imprints = [
        ["10-18", "10/18"],
        ["editorial-nandu", "Editorial Ñandú"],
        ["moth-semicolon", 'Moth & "Semicolon" \\ 😀'],
        ["peninsula-imaginaria", "Península Imaginaria"],
        ["zeta", "Zeta"],
      ];
      const json = imprints.map(([slug, name]) => ({ _id: { slug }, slug, name }));
      // The text shows the order of the members, too.
      await expectGet(api, "/api/imprints", { text: JSON.stringify(json) });
    });

    test("GET /api/imprint/{imprint} finds every slug and name of /api/imprints", async () => {
      const imprints = (await api.get("/api/imprints")).json;
      expect(imprints).toHaveLength(5);
      for (const { slug, name } of imprints) {
        const { json, text } = await expectGet(api, `/api/imprint/${slug}`, 200);
        expect(json.length).toBeGreaterThan(0);
        await expectGet(api, `/api/imprint/${encodeURIComponent(name)}`, { text });
      }
    });

    describe("GET /api/news", () => {
      test.each([
        [
          "without a date the books of the last 90 days, newest first, then by ISBN",
          "",
          [...NEWEST_ISBNS, "9789999923026"],
        ],
        [
          "with a date all books from that day on, with forthcoming ones",
          "?date=20260715",
          ["9797999900017", "9789999924023", ...NEWEST_ISBNS],
        ],
        ["no books for a date after all of them", "?date=99991231", []],
      ])("returns %s", (_, query, isbns) =>
        expectGet(api, `/api/news${query}`, { json: isbns.map(expectedRecord) }),
      );

      test.each([
        ["date=00010101", 9],
        ["date=20240229", 9],
        ["date=2026071%35", 5],
        ["language=xx&date=20260715", 5],
      ])("decodes the date of ?%s and ignores other parameters: %d books", async (query, count) => {
        expect((await api.get(`/api/news?${query}`)).json).toHaveLength(count);
      });
    });

    test("GET /api/skus returns all ISBNs in ascending order", () =>
      expectGet(api, "/api/skus", { json: ISBNS.toSorted() }));

    test("GET /api/translations returns the translation table", async () => {
      const { json } = await expectGet(api, "/api/translations", 200);
      expect(json.languages.spa).toEqual({ eng: "Spanish", spa: expect.any(String) });
      expect(json.product_forms.BC.eng).toContain("Paperback");
      expect(json._id.$oid).toMatch(/^[0-9a-f]{24}$/);
    });

    test("the requests above leave no snapshot open and report no error", () => {
      expect(api.observed.snapshots).toBeGreaterThan(0);
      expect([api.observed.openSnapshots, api.errors]).toEqual([0, []]);
    });
  });

  describe(`${engine.name}, on an empty catalog`, () => {
    test("returns empty lists, and 404 for imprints and books", async () => {
      await using api = await createTestApi(engine, { books: false });
      for (const path of ["/api/imprints", "/api/skus", "/api/news", "/api/news?date=20200101"])
        await expectGet(api, path, { text: "[]", headers: { "content-length": "2" } });
      await expectGet(api, "/api/imprint/zeta", 404);
      await expectGet(api, `/api/isbn/${ISBNS[0]}`, 404);
    });

    test("returns the imported books in requests that start after the import has ended", async () => {
      await using api = await createTestApi(engine, { books: false });
      const before = (await api.get("/api/skus")).headers.get("etag");
      const etag = `"${await importBooks(api.store, [entryOf(BOOKS[0]!)])}"`;
      await expectGet(api, "/api/skus", { json: [ISBNS[0]], headers: { etag } });
      expect(before).not.toBe(etag);
      await expectGet(api, `/api/isbn/${ISBNS[0]}`, 200);
      expect(TODAY).toBe(BOOKS[0]!.published as typeof TODAY);
      expect((await api.get("/api/news")).json).toHaveLength(1);
    });
  });
}

test("the record of another book is 500, never 200", async () => {
  await using api = await createTestApi(SQLITE, { books: false });
  const [requested, other] = [entryOf(BOOKS[0]!), entryOf(BOOKS[1]!)];
  await importBooks(api.store, [{ ...other, isbn: requested.isbn }]);
  await expectGet(api, `/api/isbn/${requested.isbn}`, 500);
  await expectGet(api, `/api/isbns/${requested.isbn}`, 500);
  await importBooks(api.store, [requested]);
  await expectGet(api, `/api/isbn/${requested.isbn}`, 200);
});
