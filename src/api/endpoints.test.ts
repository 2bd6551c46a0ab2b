import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hasValidCheckDigit, type Isbn13 } from "../onix/isbn.ts";
import { createTestApi, type TestApi } from "./testing/api.ts";
import { BOOKS, entry, expected, fill, TODAY, UNKNOWN } from "./testing/books.ts";
import { ENGINES } from "../stores/testing/engines.ts";

const JSON_TYPE = "application/json";
const isbnsOf = (records: { RecordReference: string }[]) => records.map((record) => record.RecordReference);

for (const engine of ENGINES) {
  describe(engine.name, () => {
    let it: TestApi;
    beforeAll(async () => {
      it = await createTestApi(engine);
    });
    afterAll(() => it[Symbol.asyncDispose]());

    describe("/api/isbn/{isbn}", () => {
      test("is the record, byte for byte as it is stored", async () => {
        const reply = await it.get("/api/isbn/9789999923019");
        expect(reply.status).toBe(200);
        expect(reply.headers.get("content-type")).toBe(JSON_TYPE);
        expect(reply.headers.get("cache-control")).toBe("private, no-cache");
        expect(reply.headers.get("vary")).toBe("Accept-Encoding, Authorization");
        expect(reply.json).toEqual(expected("9789999923019"));
        const { body, etag } = entry(BOOKS[0]!);
        expect(Buffer.from(body).equals(reply.raw)).toBe(true);
        expect(reply.headers.get("etag")).toBe(`"${etag}"`);
        expect(reply.headers.get("content-length")).toBe(String(body.length));
      });

      test.each([
        ["978-99999-23-01-9", "9789999923019"],
        ["978%2099999%2023019", "9789999923019"],
        ["9999923011", "9789999923019"],
        ["99999-2301-1", "9789999923019"],
        ["9789999927025", "9789999927025"],
        ["9797999900017", "9797999900017"],
      ])("%s finds %s", async (asked, isbn) => {
        expect((await it.get(`/api/isbn/${asked}`)).json).toEqual(expected(isbn));
      });

      test("an ISBN-10 may end in X or x", async () => {
        for (const x of ["X", "x"]) {
          const reply = await it.get(`/api/isbn/080442957${x}`);
          expect(reply.json.message).toBe("Book not found");
          expect(reply.json.detail).toContain("9780804429573");
        }
      });

      test("13 digits that are not there are 404, whatever their check digit", async () => {
        for (const isbn of [UNKNOWN, "9789999923010", "0000000000000"]) {
          const reply = await it.get(`/api/isbn/${isbn}`);
          expect(reply.status).toBe(404);
          expect(reply.json).toEqual({
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
      ])("%s is 400", async (asked) => {
        const reply = await it.get(`/api/isbn/${encodeURIComponent(asked)}`);
        expect(reply.status).toBe(400);
        expect(reply.json.message).toBe("Bad Request");
      });
    });

    describe("/api/isbns/{isbns}", () => {
      test("is one record for each, in the order asked, repeated where repeated", async () => {
        const asked = ["9797999900017", "9789999923019", "9797999900017", "9789999900010"];
        const reply = await it.get(`/api/isbns/${asked.join(",")}`);
        expect(reply.status).toBe(200);
        expect(reply.json).toEqual(asked.map(expected));
      });

      test("one is a list of one; encoded commas, hyphens and ISBN-10s are read", async () => {
        expect((await it.get("/api/isbns/9789999923019")).json).toEqual([expected("9789999923019")]);
        const reply = await it.get("/api/isbns/99999-2301-1%2C978-99999-23-02-6,%209789999923033");
        expect(isbnsOf(reply.json)).toEqual(["9789999923019", "9789999923026", "9789999923033"]);
      });

      test("names those that are missing, in the order asked, each once", async () => {
        const reply = await it.get(`/api/isbns/${UNKNOWN},9789999923019,9780000000002,${UNKNOWN}`);
        expect(reply.status).toBe(404);
        expect(reply.json).toEqual({
          type: "about:blank",
          title: "Not Found",
          status: 404,
          message: "Book not found",
          detail: "2 of 3 ISBNs are not in the catalog.",
          missing: [UNKNOWN, "9780000000002"],
        });
        const one = await it.get(`/api/isbns/9789999923019,${UNKNOWN},9789999923026`);
        expect(one.json.detail).toBe("1 of 3 ISBNs is not in the catalog.");
      });

      test.each([
        ["9789999923019,", "Item 2"],
        [",9789999923019", "Item 1"],
        ["9789999923019,,9789999923026", "Item 2"],
        ["9789999923019,abc", '"abc"'],
        [`9789999923019,${"z".repeat(5000)}`, `"${"z".repeat(40)}…"`],
      ])("a wrong list (%#) is 400 and names the item", async (asked, named) => {
        const reply = await it.get(`/api/isbns/${asked}`);
        expect(reply.status).toBe(400);
        expect(reply.json.message).toBe("Bad Request");
        expect(reply.json.detail).toContain(named);
        expect(reply.json.detail.length).toBeLessThan(200);
      });

      test("1,000 are answered, 1,001 are 400 and the detail names the limit", async () => {
        const asked = Array.from({ length: 1000 }, (_, at) => BOOKS[at % BOOKS.length]!.isbn);
        const reply = await it.get(`/api/isbns/${asked.join(",")}`);
        expect(reply.status).toBe(200);
        expect(isbnsOf(reply.json)).toEqual(asked);
        const more = await it.get(`/api/isbns/${[...asked, asked[0]].join(",")}`);
        expect(more.status).toBe(400);
        expect(more.json.message).toBe("Bad Request");
        expect(more.json.detail).toContain("1000");
      });
    });

    describe("/api/imprint/{imprint}", () => {
      const PENINSULA = ["9789999923019", "9789999923026", "9789999923033", "9789999923040"];

      test("is the records of the imprint, by ISBN", async () => {
        const reply = await it.get("/api/imprint/peninsula-imaginaria");
        expect(reply.status).toBe(200);
        expect(reply.json).toEqual(PENINSULA.map(expected));
      });

      test.each(["Pen%C3%ADnsula%20Imaginaria", "PENINSULA-IMAGINARIA", "Peni%CC%81nsula%20%20imaginaria"])(
        "%s is the display name, slugged",
        async (name) => {
          expect(isbnsOf((await it.get(`/api/imprint/${name}`)).json)).toEqual(PENINSULA);
        },
      );

      test("10/18 is one segment", async () => {
        const isbns = ["9789999924016", "9789999924023"];
        expect(isbnsOf((await it.get("/api/imprint/10%2F18")).json)).toEqual(isbns);
        expect(isbnsOf((await it.get("/api/imprint/10-18")).json)).toEqual(isbns);
        expect(isbnsOf((await it.get("/api/imprint/10+18")).json)).toEqual(isbns);
        expect((await it.get("/api/imprint/10/18")).json.message).toBe("Not Found");
        // Decoded once: %252F is the text %2F, whose slug is another.
        expect((await it.get("/api/imprint/10%252F18")).json.message).toBe("Imprint not found");
      });

      test.each(["nobody", "---", "%00", "peninsula"])("%s is 404", async (name) => {
        const reply = await it.get(`/api/imprint/${name}`);
        expect(reply.status).toBe(404);
        expect(reply.json.message).toBe("Imprint not found");
      });

      test("language leaves the books whose text is in it", async () => {
        const of = async (language: string) =>
          isbnsOf((await it.get(`/api/imprint/peninsula-imaginaria?language=${language}`)).json);
        expect(await of("spa")).toEqual(["9789999923019", "9789999923026", "9789999923040"]);
        expect(await of("ENG")).toEqual(["9789999923033", "9789999923040"]);
        const none = await it.get("/api/imprint/peninsula-imaginaria?language=fre");
        expect(none.status).toBe(200);
        expect(none.text).toBe("[]");
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
      ])("?%s is 400", async (query) => {
        const reply = await it.get(`/api/imprint/peninsula-imaginaria?${query}`);
        expect(reply.status).toBe(400);
        expect(reply.json.message).toBe("Bad Request");
      });

      test("unknown parameters are ignored, however broken", async () => {
        const reply = await it.get("/api/imprint/zeta?lang=xx&Language=xx&%zz=1&&=&date=20260101&date=1");
        expect(reply.status).toBe(200);
      });
    });

    test("/api/imprints is all imprints that have records, by slug", async () => {
      const reply = await it.get("/api/imprints");
      expect(reply.status).toBe(200);
      const entries = [
        ["10-18", "10/18"],
        ["editorial-nandu", "Editorial Ñandú"],
        ["moth-semicolon", 'Moth & "Semicolon" \\ 😀'],
        ["peninsula-imaginaria", "Península Imaginaria"],
        ["zeta", "Zeta"],
      ];
      expect(reply.json).toEqual(entries.map(([slug, name]) => ({ _id: { slug }, slug, name })));
      expect(Object.keys(reply.json[0])).toEqual(["_id", "slug", "name"]);
    });

    test("every slug of /api/imprints is found", async () => {
      for (const { slug, name } of (await it.get("/api/imprints")).json) {
        const bySlug = await it.get(`/api/imprint/${slug}`);
        expect(bySlug.status).toBe(200);
        expect(bySlug.json.length).toBeGreaterThan(0);
        expect((await it.get(`/api/imprint/${encodeURIComponent(name)}`)).text).toBe(bySlug.text);
      }
    });

    describe("/api/news", () => {
      test("without a date: from 90 days ago to today, newest first, then by ISBN", async () => {
        const reply = await it.get("/api/news");
        expect(reply.status).toBe(200);
        expect(isbnsOf(reply.json)).toEqual([
          "9789999923019",
          "9789999924016",
          "9789999925013",
          "9789999923026",
        ]);
      });

      test("with a date: all from that day on, forthcoming ones included", async () => {
        expect(isbnsOf((await it.get("/api/news?date=20260715")).json)).toEqual([
          "9797999900017",
          "9789999924023",
          "9789999923019",
          "9789999924016",
          "9789999925013",
        ]);
        expect((await it.get("/api/news?date=00010101")).json).toHaveLength(9);
        expect((await it.get("/api/news?date=20240229")).json).toHaveLength(9);
        expect((await it.get("/api/news?date=99991231")).text).toBe("[]");
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
      ])("?%s is 400 Invalid date format", async (query) => {
        const reply = await it.get(`/api/news?${query}`);
        expect(reply.status).toBe(400);
        expect(reply.json.message).toBe("Invalid date format");
        expect(reply.json.title).toBe("Bad Request");
      });

      test("a percent-encoded digit is that digit, and other parameters do not matter", async () => {
        expect((await it.get("/api/news?date=2026071%35")).json).toHaveLength(5);
        expect((await it.get("/api/news?language=xx&date=20260715")).json).toHaveLength(5);
      });
    });

    test("/api/skus is all ISBNs, ascending", async () => {
      const reply = await it.get("/api/skus");
      expect(reply.status).toBe(200);
      expect(reply.json).toEqual(BOOKS.map(({ isbn }) => isbn).sort());
    });

    test("/api/translations is the table", async () => {
      const reply = await it.get("/api/translations");
      expect(reply.status).toBe(200);
      expect(reply.json.languages.spa).toEqual({ eng: "Spanish", spa: expect.any(String) });
      expect(reply.json.product_forms.BC.eng).toContain("Paperback");
      expect(reply.json._id.$oid).toMatch(/^[0-9a-f]{24}$/);
    });

    test("no view is left open by any of these", () => {
      expect(it.observed.snapshots).toBeGreaterThan(0);
      expect(it.observed.openSnapshots).toBe(0);
      expect(it.errors).toEqual([]);
    });
  });

  describe(`${engine.name}, empty`, () => {
    test("lists are empty, and nothing is found", async () => {
      await using it = await createTestApi(engine, { books: false });
      for (const path of ["/api/imprints", "/api/skus", "/api/news", "/api/news?date=20200101"]) {
        const reply = await it.get(path);
        expect(reply.status).toBe(200);
        expect(reply.text).toBe("[]");
        expect(reply.headers.get("content-length")).toBe("2");
      }
      expect((await it.get("/api/imprint/zeta")).status).toBe(404);
      expect((await it.get(`/api/isbn/${BOOKS[0]!.isbn}`)).status).toBe(404);
    });

    test("a request that starts after an import has ended sees it", async () => {
      await using it = await createTestApi(engine, { books: false });
      const before = (await it.get("/api/skus")).headers.get("etag");
      const revision = await fill(it.store, [entry(BOOKS[0]!)]);
      const after = await it.get("/api/skus");
      expect(after.json).toEqual([BOOKS[0]!.isbn]);
      expect(after.headers.get("etag")).toBe(`"${revision}"`);
      expect(before).not.toBe(`"${revision}"`);
      expect((await it.get(`/api/isbn/${BOOKS[0]!.isbn}`)).status).toBe(200);
      expect(TODAY).toBe(BOOKS[0]!.published as typeof TODAY);
      expect((await it.get("/api/news")).json).toHaveLength(1);
    });
  });
}
