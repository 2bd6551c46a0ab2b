import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hasValidCheckDigit, type Isbn13 } from "../onix/isbn.ts";
import { importBooks } from "../stores/testing/books.ts";
import { ENGINES, SQLITE } from "../stores/testing/engines.ts";
import { createTestApi, type TestApi } from "./testing/api.ts";
import { BOOKS, entryOf, expectedRecord, TODAY, UNKNOWN_ISBN } from "./testing/books.ts";

const JSON_TYPE = "application/json";
const isbnsOf = (records: { RecordReference: string }[]) => records.map((record) => record.RecordReference);

for (const engine of ENGINES) {
  describe(engine.name, () => {
    let api: TestApi;
    beforeAll(async () => {
      api = await createTestApi(engine);
    });
    afterAll(() => api[Symbol.asyncDispose]());

    describe("GET /api/isbn/{isbn}", () => {
      test("returns the record with the bytes that are stored", async () => {
        const response = await api.get("/api/isbn/9789999923019");
        expect(response.status).toBe(200);
        expect(response.headers.get("content-type")).toBe(JSON_TYPE);
        expect(response.headers.get("cache-control")).toBe("private, no-cache");
        expect(response.headers.get("vary")).toBe("Accept-Encoding, Authorization");
        expect(response.json).toEqual(expectedRecord("9789999923019"));
        const { body, etag } = entryOf(BOOKS[0]!);
        expect(Buffer.from(body).equals(response.raw)).toBe(true);
        expect(response.headers.get("etag")).toBe(`"${etag}"`);
        expect(response.headers.get("content-length")).toBe(String(body.length));
      });

      test.each([
        ["978-99999-23-01-9", "9789999923019"],
        ["978%2099999%2023019", "9789999923019"],
        ["9999923011", "9789999923019"],
        ["99999-2301-1", "9789999923019"],
        ["9789999927025", "9789999927025"],
        ["9797999900017", "9797999900017"],
      ])("returns for %s the record of %s", async (parameter, isbn) => {
        expect((await api.get(`/api/isbn/${parameter}`)).json).toEqual(expectedRecord(isbn));
      });

      test("accepts an ISBN-10 that ends in X or x", async () => {
        for (const x of ["X", "x"]) {
          const response = await api.get(`/api/isbn/080442957${x}`);
          expect(response.json.message).toBe("Book not found");
          expect(response.json.detail).toContain("9780804429573");
        }
      });

      test("returns 404 for an unknown ISBN, whatever its check digit", async () => {
        for (const isbn of [UNKNOWN_ISBN, "9789999923010", "0000000000000"]) {
          const response = await api.get(`/api/isbn/${isbn}`);
          expect(response.status).toBe(404);
          expect(response.json).toEqual({
            type: "about:blank",
            title: "Not Found",
            status: 404,
            message: "Book not found",
            detail: `The catalog has no book with the ISBN ${isbn}.`,
          });
        }
        expect(hasValidCheckDigit("9789999923010" as Isbn13)).toBe(false);
      });

      test.each([
        "978",
        "97899999230190",
        "9999923012",
        "abc",
        "978999992301X",
        "%00",
        "9789999923019,",
        "٩٧٨٩٩٩٩٩٢٣٠١٩",
      ])("returns 400 for %s", async (parameter) => {
        const response = await api.get(`/api/isbn/${encodeURIComponent(parameter)}`);
        expect(response.status).toBe(400);
        expect(response.json.message).toBe("Bad Request");
      });
    });

    describe("GET /api/isbns/{isbns}", () => {
      test("returns a record for each ISBN, in the requested order, with repetitions", async () => {
        const isbns = ["9797999900017", "9789999923019", "9797999900017", "9789999900010"];
        const response = await api.get(`/api/isbns/${isbns.join(",")}`);
        expect(response.status).toBe(200);
        expect(response.json).toEqual(isbns.map(expectedRecord));
      });

      test("accepts a single ISBN, encoded commas, hyphens and ISBN-10s", async () => {
        expect((await api.get("/api/isbns/9789999923019")).json).toEqual([expectedRecord("9789999923019")]);
        const response = await api.get("/api/isbns/99999-2301-1%2C978-99999-23-02-6,%209789999923033");
        expect(isbnsOf(response.json)).toEqual(["9789999923019", "9789999923026", "9789999923033"]);
      });

      test("returns 404 with the missing ISBNs, in the requested order, each once", async () => {
        const response = await api.get(
          `/api/isbns/${UNKNOWN_ISBN},9789999923019,9780000000002,${UNKNOWN_ISBN}`,
        );
        expect(response.status).toBe(404);
        expect(response.json).toEqual({
          type: "about:blank",
          title: "Not Found",
          status: 404,
          message: "Book not found",
          detail: "2 of 3 ISBNs are not in the catalog.",
          missing: [UNKNOWN_ISBN, "9780000000002"],
        });
        const oneMissing = await api.get(`/api/isbns/9789999923019,${UNKNOWN_ISBN},9789999923026`);
        expect(oneMissing.json.detail).toBe("1 of 3 ISBNs is not in the catalog.");
      });

      test.each([
        ["9789999923019,", "Item 2"],
        [",9789999923019", "Item 1"],
        ["9789999923019,,9789999923026", "Item 2"],
        ["9789999923019,abc", '"abc"'],
        [`9789999923019,${"z".repeat(5000)}`, `"${"z".repeat(40)}…"`],
      ])("returns 400 for the invalid list %# and names the item", async (list, item) => {
        const response = await api.get(`/api/isbns/${list}`);
        expect(response.status).toBe(400);
        expect(response.json.message).toBe("Bad Request");
        expect(response.json.detail).toContain(item);
        expect(response.json.detail.length).toBeLessThan(200);
      });

      test("returns 1,000 records, and 400 with the limit for 1,001", async () => {
        const isbns = Array.from({ length: 1000 }, (_, index) => BOOKS[index % BOOKS.length]!.isbn);
        const response = await api.get(`/api/isbns/${isbns.join(",")}`);
        expect(response.status).toBe(200);
        expect(isbnsOf(response.json)).toEqual(isbns);
        const tooMany = await api.get(`/api/isbns/${[...isbns, isbns[0]].join(",")}`);
        expect(tooMany.status).toBe(400);
        expect(tooMany.json.message).toBe("Bad Request");
        expect(tooMany.json.detail).toContain("1000");
      });
    });

    describe("GET /api/imprint/{imprint}", () => {
      const PENINSULA_ISBNS = ["9789999923019", "9789999923026", "9789999923033", "9789999923040"];

      test("returns the records of the imprint, ordered by ISBN", async () => {
        const response = await api.get("/api/imprint/peninsula-imaginaria");
        expect(response.status).toBe(200);
        expect(response.json).toEqual(PENINSULA_ISBNS.map(expectedRecord));
      });

      test.each(["Pen%C3%ADnsula%20Imaginaria", "PENINSULA-IMAGINARIA", "Peni%CC%81nsula%20%20imaginaria"])(
        "finds the imprint by its name %s",
        async (name) => {
          expect(isbnsOf((await api.get(`/api/imprint/${name}`)).json)).toEqual(PENINSULA_ISBNS);
        },
      );

      test("takes the imprint from one path segment that is decoded once", async () => {
        const isbns = ["9789999924016", "9789999924023"];
        expect(isbnsOf((await api.get("/api/imprint/10%2F18")).json)).toEqual(isbns);
        expect(isbnsOf((await api.get("/api/imprint/10-18")).json)).toEqual(isbns);
        expect(isbnsOf((await api.get("/api/imprint/10+18")).json)).toEqual(isbns);
        expect((await api.get("/api/imprint/10/18")).json.message).toBe("Not Found");
        // %252F is the text %2F, which has another slug.
        expect((await api.get("/api/imprint/10%252F18")).json.message).toBe("Imprint not found");
      });

      test.each(["nobody", "---", "%00", "peninsula"])("returns 404 for %s", async (name) => {
        const response = await api.get(`/api/imprint/${name}`);
        expect(response.status).toBe(404);
        expect(response.json.message).toBe("Imprint not found");
      });

      test("returns with ?language only the books whose text is in that language", async () => {
        const isbnsIn = async (language: string) =>
          isbnsOf((await api.get(`/api/imprint/peninsula-imaginaria?language=${language}`)).json);
        expect(await isbnsIn("spa")).toEqual(["9789999923019", "9789999923026", "9789999923040"]);
        expect(await isbnsIn("ENG")).toEqual(["9789999923033", "9789999923040"]);
        const noBooks = await api.get("/api/imprint/peninsula-imaginaria?language=fre");
        expect(noBooks.status).toBe(200);
        expect(noBooks.text).toBe("[]");
      });

      test.each([
        "language=",
        "language",
        "language=es",
        "language=spaa",
        "language=zzz",
        "language=%20spa",
        "language=s%C3%B1a",
        "language=%E2%84%AAor",
        "language=spa&language=spa",
        "language=spa&l%61nguage=eng",
        "language=%zz",
        "language=%FF%FF%FF",
      ])("returns 400 for ?%s", async (query) => {
        const response = await api.get(`/api/imprint/peninsula-imaginaria?${query}`);
        expect(response.status).toBe(400);
        expect(response.json.message).toBe("Bad Request");
      });

      test("ignores unknown parameters, also malformed ones", async () => {
        const response = await api.get("/api/imprint/zeta?lang=xx&Language=xx&%zz=1&&=&date=20260101&date=1");
        expect(response.status).toBe(200);
      });
    });

    test("GET /api/imprints returns all imprints that have records, ordered by slug", async () => {
      const response = await api.get("/api/imprints");
      expect(response.status).toBe(200);
      const imprints = [
        ["10-18", "10/18"],
        ["editorial-nandu", "Editorial Ñandú"],
        ["moth-semicolon", 'Moth & "Semicolon" \\ 😀'],
        ["peninsula-imaginaria", "Península Imaginaria"],
        ["zeta", "Zeta"],
      ];
      expect(response.json).toEqual(imprints.map(([slug, name]) => ({ _id: { slug }, slug, name })));
      expect(Object.keys(response.json[0])).toEqual(["_id", "slug", "name"]);
    });

    test("GET /api/imprint/{imprint} finds every slug and name of /api/imprints", async () => {
      const imprints = (await api.get("/api/imprints")).json;
      expect(imprints).toHaveLength(5);
      for (const { slug, name } of imprints) {
        const bySlug = await api.get(`/api/imprint/${slug}`);
        expect(bySlug.status).toBe(200);
        expect(bySlug.json.length).toBeGreaterThan(0);
        expect((await api.get(`/api/imprint/${encodeURIComponent(name)}`)).text).toBe(bySlug.text);
      }
    });

    describe("GET /api/news", () => {
      test("returns without a date the books of the last 90 days, newest first, then by ISBN", async () => {
        const response = await api.get("/api/news");
        expect(response.status).toBe(200);
        expect(isbnsOf(response.json)).toEqual([
          "9789999923019",
          "9789999924016",
          "9789999925013",
          "9789999923026",
        ]);
      });

      test("returns with a date all books from that day on, with forthcoming ones", async () => {
        expect(isbnsOf((await api.get("/api/news?date=20260715")).json)).toEqual([
          "9797999900017",
          "9789999924023",
          "9789999923019",
          "9789999924016",
          "9789999925013",
        ]);
        expect((await api.get("/api/news?date=00010101")).json).toHaveLength(9);
        expect((await api.get("/api/news?date=20240229")).json).toHaveLength(9);
        expect((await api.get("/api/news?date=99991231")).text).toBe("[]");
      });

      test.each([
        "date=",
        "date",
        "date=2026-07-15",
        "date=20230229",
        "date=20261301",
        "date=2026071",
        "date=202607150",
        "date=20260715+",
        "date=+20260715",
        "date=%D9%A2%D9%A0%D9%A2%D9%A6%D9%A0%D9%A7%D9%A1%D9%A5",
        "date=00000101",
        "date=20260715&date=20260715",
        "date=20260715&d%61te=20260716",
        "date=%2",
      ])("returns 400 Invalid date format for ?%s", async (query) => {
        const response = await api.get(`/api/news?${query}`);
        expect(response.status).toBe(400);
        expect(response.json.message).toBe("Invalid date format");
        expect(response.json.title).toBe("Bad Request");
      });

      test("decodes the date and ignores other parameters", async () => {
        expect((await api.get("/api/news?date=2026071%35")).json).toHaveLength(5);
        expect((await api.get("/api/news?language=xx&date=20260715")).json).toHaveLength(5);
      });
    });

    test("GET /api/skus returns all ISBNs in ascending order", async () => {
      const response = await api.get("/api/skus");
      expect(response.status).toBe(200);
      expect(response.json).toEqual(BOOKS.map(({ isbn }) => isbn).sort());
    });

    test("GET /api/translations returns the translation table", async () => {
      const response = await api.get("/api/translations");
      expect(response.status).toBe(200);
      expect(response.json.languages.spa).toEqual({ eng: "Spanish", spa: expect.any(String) });
      expect(response.json.product_forms.BC.eng).toContain("Paperback");
      expect(response.json._id.$oid).toMatch(/^[0-9a-f]{24}$/);
    });

    test("the requests above leave no snapshot open and report no error", () => {
      expect(api.observed.snapshots).toBeGreaterThan(0);
      expect(api.observed.openSnapshots).toBe(0);
      expect(api.errors).toEqual([]);
    });
  });

  describe(`${engine.name}, on an empty catalog`, () => {
    test("returns empty lists, and 404 for imprints and books", async () => {
      await using api = await createTestApi(engine, { books: false });
      for (const path of ["/api/imprints", "/api/skus", "/api/news", "/api/news?date=20200101"]) {
        const response = await api.get(path);
        expect(response.status).toBe(200);
        expect(response.text).toBe("[]");
        expect(response.headers.get("content-length")).toBe("2");
      }
      expect((await api.get("/api/imprint/zeta")).status).toBe(404);
      expect((await api.get(`/api/isbn/${BOOKS[0]!.isbn}`)).status).toBe(404);
    });

    test("returns the imported books in requests that start after the import has ended", async () => {
      await using api = await createTestApi(engine, { books: false });
      const before = (await api.get("/api/skus")).headers.get("etag");
      const revision = await importBooks(api.store, [entryOf(BOOKS[0]!)]);
      const after = await api.get("/api/skus");
      expect(after.json).toEqual([BOOKS[0]!.isbn]);
      expect(after.headers.get("etag")).toBe(`"${revision}"`);
      expect(before).not.toBe(`"${revision}"`);
      expect((await api.get(`/api/isbn/${BOOKS[0]!.isbn}`)).status).toBe(200);
      expect(TODAY).toBe(BOOKS[0]!.published as typeof TODAY);
      expect((await api.get("/api/news")).json).toHaveLength(1);
    });
  });
}

test("the record of another book is 500, never 200", async () => {
  await using api = await createTestApi(SQLITE, { books: false });
  const [requested, other] = [entryOf(BOOKS[0]!), entryOf(BOOKS[1]!)];
  await importBooks(api.store, [{ ...other, isbn: requested.isbn }]);
  expect((await api.get(`/api/isbn/${requested.isbn}`)).status).toBe(500);
  expect((await api.get(`/api/isbns/${requested.isbn}`)).status).toBe(500);
  await importBooks(api.store, [requested]);
  expect((await api.get(`/api/isbn/${requested.isbn}`)).status).toBe(200);
});
