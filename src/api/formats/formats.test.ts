/** The formats of the endpoints: content, validators, pages, and what stays as it was. */
import { describe, expect, test } from "bun:test";
import { summaryOfEntry } from "../../catalog/entry.ts";
import { parseCsv } from "../../catalog/formats/testing/parse-csv.ts";
import { createEntry } from "../../catalog/testing/entries.ts";
import { scanMessage } from "../../onix/testing/scan-message.ts";
import { importBooks } from "../../stores/testing/books.ts";
import { ENGINES } from "../../stores/testing/engines.ts";
import { type ApiResponse, createTestApi } from "../testing/api.ts";
import { BOOKS, entryOf, LONG_LIST_PATH, longList, recordOf, UNKNOWN_ISBN } from "../testing/books.ts";
import { expectGet, readPages, sharedApi, withQuery } from "../testing/shared-api.ts";

const [FIRST, SECOND] = [BOOKS[0]!, BOOKS[1]!];
const ONE = `/api/isbn/${FIRST.isbn}`;
const BOOK_LISTS = [
  `/api/isbns/${SECOND.isbn},${FIRST.isbn},${SECOND.isbn}`,
  `/api/isbns/${SECOND.isbn},${UNKNOWN_ISBN},${FIRST.isbn}?missing=skip`,
  "/api/imprint/peninsula-imaginaria",
  "/api/imprint/peninsula-imaginaria?language=spa",
  "/api/imprint/peninsula-imaginaria?language=jpn",
  "/api/imprint/peninsula-imaginaria?limit=2",
  "/api/news",
  "/api/news?date=20260601&limit=3",
];
const OTHER_LISTS = ["/api/skus", "/api/skus?limit=2", "/api/imprints"];
const FORMATS = ["ndjson", "csv", "xml"] as const;
const CONTENT_TYPES = {
  json: "application/json",
  ndjson: "application/x-ndjson",
  csv: "text/csv; charset=utf-8",
  xml: "application/xml",
};

const typeOf = ({ headers }: ApiResponse) => headers.get("content-type");

/** Returns the rows without the column names. */
function rowsOf({ body }: ApiResponse): string[][] {
  return parseCsv(new TextDecoder("utf-8", { ignoreBOM: true }).decode(body)).slice(1);
}

/** Returns the records of a message. The books of the tests have no flag NoEdition, which an import adds. */
async function recordsOf(xml: string): Promise<unknown[]> {
  const { products } = await scanMessage(xml);
  return products.map(({ body }) => {
    const record = JSON.parse(new TextDecoder().decode(body));
    delete record.DescriptiveDetail.NoEdition;
    return record;
  });
}

for (const engine of ENGINES) {
  describe(`formats (${engine.name})`, () => {
    const api = sharedApi(() => createTestApi(engine));

    test.each([...BOOK_LISTS, ...OTHER_LISTS])("returns the items of %s as lines of NDJSON", async (path) => {
      const [json, ndjson] = [await api.get(path), await api.get(withQuery(path, "format=ndjson"))];
      expect([ndjson.status, typeOf(ndjson)]).toEqual([200, CONTENT_TYPES.ndjson]);
      const lines = ndjson.text.split("\n");
      expect(lines.pop()).toBe("");
      expect(`[${lines.join(",")}]`).toBe(json.text);
    });

    test.each(BOOK_LISTS)("returns the books of %s as CSV, one row each", async (path) => {
      const summaries = (await api.get(withQuery(path, "view=summary"))).json;
      const csv = await api.get(withQuery(path, "format=csv"));
      expect([csv.status, typeOf(csv)]).toEqual([200, CONTENT_TYPES.csv]);
      expect([...csv.body.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
      const rows = rowsOf(csv).map(([isbn, , title]) => [isbn, title]);
      expect(rows).toEqual(summaries.map(({ isbn, title }: Record<string, string>) => [isbn, title]));
    });

    test.each(["reference", "short"])("returns the books of lists as ONIX 3.1 with %s tags", async (tags) => {
      for (const path of BOOK_LISTS) {
        const records = (await api.get(path)).json;
        const xml = await api.get(withQuery(path, `format=xml&shorttags=${tags === "short"}`));
        expect([xml.status, typeOf(xml)]).toEqual([200, CONTENT_TYPES.xml]);
        const { header } = await scanMessage(xml.text);
        expect([header.release, header.tags]).toEqual(["3.1", tags]);
        expect(xml.text).toContain(`>20260901</${tags === "short" ? "x307" : "SentDateTime"}>`);
        expect(await recordsOf(xml.text)).toEqual(records);
        if (records.length === 0) expect(xml.text).toMatch(/<(NoProduct|x507)\/>/);
      }
    });

    test("returns one book in each format", async () => {
      const entry = entryOf(FIRST);
      const ndjson = await api.get(`${ONE}?format=ndjson`);
      expect(ndjson.text).toBe(`${Buffer.from(entry.body)}\n`);
      const summary = await api.get(`${ONE}?format=ndjson&view=summary`);
      expect(summary.text).toBe(`${Buffer.from(summaryOfEntry(entry).body)}\n`);
      const csv = await api.get(`${ONE}?format=csv`);
      expect(rowsOf(csv).map(([isbn, , title]) => [isbn, title])).toEqual([[FIRST.isbn, FIRST.title]]);
      for (const query of ["format=xml", "format=xml&shorttags=true"]) {
        expect(await recordsOf((await api.get(`${ONE}?${query}`)).text)).toEqual([recordOf(FIRST)]);
      }
      expect((await api.get(`${ONE}?format=json`)).text).toBe((await api.get(ONE)).text);
    });

    test("writes the reference of the sender into the message", async () => {
      const { text } = await api.get(`${ONE}?format=xml`);
      expect(text).toContain(`<RecordReference>ref-${FIRST.isbn}</RecordReference>`);
    });

    test("returns ISBNs and imprints as CSV", async () => {
      const isbns = await api.get("/api/skus?format=csv");
      expect(rowsOf(isbns).flat()).toEqual((await api.get("/api/skus")).json);
      const imprints = rowsOf(await api.get("/api/imprints?format=csv"));
      const expected = (await api.get("/api/imprints")).json;
      expect(imprints).toEqual(expected.map(({ slug, name }: Record<string, string>) => [slug, name]));
    });

    test("keeps the header fields of a list", async () => {
      for (const format of FORMATS) {
        const path = `/api/isbns/${SECOND.isbn},${UNKNOWN_ISBN}?missing=skip&format=${format}`;
        const { headers } = await api.get(path);
        expect([headers.get("x-missing-count"), headers.get("x-missing")]).toEqual(["1", UNKNOWN_ISBN]);
      }
      const { headers } = await api.get("/api/skus?limit=2&format=csv");
      expect(headers.get("x-total-count")).toBe(String(BOOKS.length));
    });

    test("leads from page to page in the same format, whether the parameter or Accept has chosen it", async () => {
      const list = "/api/imprint/peninsula-imaginaria";
      for (const [query, accept] of [
        ["limit=1&format=csv", "*/*"],
        ["limit=1", "text/csv"],
      ]) {
        const isbns: string[] = [];
        for await (const page of readPages(api, `${list}?${query}`, { headers: { Accept: accept! } })) {
          expect(typeOf(page)).toBe(CONTENT_TYPES.csv);
          isbns.push(...rowsOf(page).map(([isbn]) => isbn!));
        }
        expect(isbns).toEqual(
          (await api.get(list)).json.map(({ RecordReference }: never) => RecordReference),
        );
      }
      const { headers } = await api.get(`${list}?limit=1&format=xml&shorttags=true`);
      expect(headers.get("link")).toStartWith("<?format=xml&shorttags=true&limit=1&cursor=");
    });

    test.each([ONE, ...BOOK_LISTS])(
      "gives each format of %s its own validator, 304 and HEAD",
      async (path) => {
        const targets = ["json", ...FORMATS].map((format) => withQuery(path, `format=${format}`));
        targets.push(
          withQuery(path, "format=xml&shorttags=true"),
          withQuery(path, "format=ndjson&view=summary"),
        );
        const etags = new Set<string>();
        for (const target of targets) {
          const response = await api.get(target);
          const etag = response.headers.get("etag")!;
          etags.add(etag);
          const headers = { etag, "content-type": typeOf(response) };
          await expectGet(
            api,
            target,
            { status: 304, headers: { etag } },
            { headers: { "If-None-Match": etag } },
          );
          const head = await expectGet(api, target, { headers }, { method: "HEAD" });
          expect(head.raw).toHaveLength(0);
        }
        expect(etags.size).toBe(targets.length);
      },
    );

    test.each(["gzip", "br", "zstd"])(
      "encodes every format in %s, with a validator of its own",
      async (coding) => {
        for (const format of FORMATS) {
          for (const path of [ONE, BOOK_LISTS[0]!]) {
            const target = withQuery(path, `format=${format}`);
            const [plain, encoded] = [
              await api.get(target),
              await api.get(target, { headers: { "Accept-Encoding": coding } }),
            ];
            expect(encoded.text).toBe(plain.text);
            if (encoded.headers.get("content-encoding") === coding)
              expect(encoded.headers.get("etag")).toBe(
                plain.headers.get("etag")!.replace(/"$/, `-${coding}"`),
              );
            else expect(plain.raw.length).toBeLessThan(1024);
          }
        }
      },
    );

    test.each([
      ["text/csv", "csv"],
      ["application/xml", "xml"],
      ["application/x-ndjson", "ndjson"],
      ["Text/CSV;charset=utf-8", "csv"],
      ["text/csv, */*;q=0.1", "csv"],
      ["application/json;q=0.5, application/xml", "xml"],
      ["application/xml;q=0.5, text/csv;q=0.7", "csv"],
      ["text/csv, application/x-ndjson", "ndjson"],
      ["application/problem+json, text/csv", "csv"],
      ["application/json, application/xml", "json"],
      ["application/xml, */*", "json"],
      ["text/csv;q=0, */*", "json"],
      ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "json"],
      ["*/*", "json"],
      ["text/csv, text/html", "csv"],
    ] as const)("chooses from Accept: %s the format %s", async (accept, format) => {
      for (const path of [ONE, BOOK_LISTS[2]!]) {
        const response = await api.get(path, { headers: { Accept: accept } });
        expect([response.status, typeOf(response)]).toEqual([200, CONTENT_TYPES[format]]);
      }
    });

    test.each([
      "text/*",
      "text/html",
      "text/xml",
      "image/png",
      "application/problem+json",
      "application/json;q=0, */*",
      "application/json;q=0, application/xml;q=0",
    ])("returns 406 for Accept: %s, and names the formats", async (accept) => {
      const { status, json } = await api.get(ONE, { headers: { Accept: accept } });
      expect([status, json.detail]).toEqual([406, expect.stringContaining("text/csv")]);
    });

    test.each(OTHER_LISTS)(
      "returns 406 for %s as XML, and JSON or CSV where Accept allows them",
      async (path) => {
        for (const [target, accept] of [
          [withQuery(path, "format=xml"), "*/*"],
          [path, "application/xml"],
        ]) {
          const { status, json } = await api.get(target!, { headers: { Accept: accept! } });
          expect([status, json.detail]).toEqual([406, expect.not.stringContaining("application/xml")]);
        }
        const types = [];
        for (const accept of ["application/xml, application/json;q=0.1", "application/xml, text/csv;q=0.1"])
          types.push(typeOf(await api.get(path, { headers: { Accept: accept } })));
        expect(types).toEqual([CONTENT_TYPES.json, CONTENT_TYPES.csv]);
      },
    );

    test("lets the parameter win over Accept", async () => {
      for (const [format, accept] of [
        ["json", "text/csv"],
        ["csv", "application/json"],
        ["xml", "text/html"],
        ["ndjson", "application/problem+json"],
      ] as const) {
        const response = await api.get(`${ONE}?format=${format}`, { headers: { Accept: accept } });
        expect([response.status, typeOf(response)]).toEqual([200, CONTENT_TYPES[format]]);
      }
      expect(typeOf(await api.get(`${ONE}?%66orma%74=c%73v`))).toBe(CONTENT_TYPES.csv);
    });

    test("takes the view that a format has, and ignores format where there is one only", async () => {
      for (const path of [`${ONE}?format=csv&view=summary`, `${ONE}?format=xml&view=record`])
        await expectGet(api, path, 200);
      await expectGet(api, "/api/skus?format=csv&view=record", 200);
      await expectGet(api, "/api/translations?format=csv", {
        headers: { "content-type": CONTENT_TYPES.json },
      });
      await expectGet(api, "/api/translations", 406, { headers: { Accept: "text/csv" } });
    });

    test("returns errors as JSON, whatever format was chosen", async () => {
      const problem = { status: 404, headers: { "content-type": "application/problem+json" } };
      const unknown = [
        `/api/isbn/${UNKNOWN_ISBN}`,
        `/api/isbns/${FIRST.isbn},${UNKNOWN_ISBN}`,
        "/api/imprint/x",
      ];
      for (const format of FORMATS)
        for (const path of unknown) await expectGet(api, withQuery(path, `format=${format}`), problem);
    });

    test("has Accept in Vary where it has decided, and nowhere else", async () => {
      const unchanged = "Accept-Encoding, Authorization";
      const chosen = `${unchanged}, Accept`;
      for (const path of [ONE, "/api/skus"]) {
        for (const [target, accept, vary] of [
          [path, undefined, unchanged],
          [path, "*/*", unchanged],
          [path, "application/json", unchanged],
          [`${path}?format=csv`, "application/json", unchanged],
          [path, "text/csv", chosen],
          [path, "application/json, text/csv;q=0.5", chosen],
        ] as const)
          await expectGet(api, target, { headers: { vary } }, { headers: accept ? { Accept: accept } : {} });
      }
      const etag = (await api.get(ONE, { headers: { Accept: "text/csv" } })).headers.get("etag")!;
      const notModified = await api.get(ONE, { headers: { Accept: "text/csv", "If-None-Match": etag } });
      expect([notModified.status, notModified.headers.get("vary")]).toEqual([304, `${unchanged}, Accept`]);
    });

    test("returns the same bytes however often a format is requested, in turn with others", async () => {
      const targets = [ONE, ...BOOK_LISTS, ...OTHER_LISTS].flatMap((path) =>
        ["*/*", "text/csv", "application/x-ndjson", "application/xml"].map(
          (accept) => [path, accept] as const,
        ),
      );
      const first = new Map<string, string>();
      // A response is cached by the second request, and comes from the cache with the third.
      const rounds = api.store.lookupTransaction ? 4 : 2;
      for (let round = 0; round < rounds; round++) {
        for (const [path, accept] of targets) {
          const { status, text, headers } = await api.get(path, { headers: { Accept: accept } });
          const key = `${path} ${accept}`;
          const seen = `${status} ${headers.get("etag")} ${headers.get("vary")} ${text}`;
          if (!first.has(key)) first.set(key, seen);
          expect(seen.replace(/"requestId":"[^"]*"/, "")).toBe(first.get(key)!);
        }
      }
      expect(new Set(first.values()).size).toBeGreaterThan(40);
    });

    test("shows in XML what an import has changed beside the record, with another validator", async () => {
      await using fresh = await createTestApi(engine);
      const [one, list] = [`${ONE}?format=xml`, "/api/imprint/peninsula-imaginaria?format=xml"];
      const read = async (path: string) => {
        const { text, headers } = await fresh.get(path);
        return { text, etag: headers.get("etag") };
      };
      const before = [];
      for (let round = 0; round < 3; round++) before.push(await read(one), await read(list));
      const revision = await fresh.store.revision();
      await importBooks(fresh.store, [createEntry(recordOf(FIRST), "other-reference", { release: "3.0" })]);
      expect(await fresh.store.revision()).toBe(revision);
      for (const [index, path] of [one, list].entries()) {
        const after = await read(path);
        expect(after.text).toContain("<RecordReference>other-reference</RecordReference>");
        expect(after.etag).not.toBe(before[index]!.etag);
        expect(after.text.length).toBe(
          before[index]!.text.replace(`ref-${FIRST.isbn}`, "other-reference").length,
        );
      }
    });

    test("streams a long list in every format", async () => {
      const entries = longList(400_000);
      await using long = await createTestApi(engine, { books: entries });
      const ndjson = await long.get(`${LONG_LIST_PATH}?format=ndjson`);
      expect(ndjson.text.trimEnd().split("\n")).toEqual(
        entries.map(({ body }) => Buffer.from(body).toString()),
      );
      expect(rowsOf(await long.get(`${LONG_LIST_PATH}?format=csv`)).map(([isbn]) => isbn!)).toEqual(
        entries.map(({ isbn }) => isbn),
      );
      const { products } = await scanMessage((await long.get(`${LONG_LIST_PATH}?format=xml`)).text);
      expect(products.map(({ isbn }) => isbn!)).toEqual(entries.map(({ isbn }) => isbn));
      expect(long.observed.openSnapshots).toBe(0);
    });

    test("returns 503 in every format when the store fails, and closes every snapshot", async () => {
      await using failing = await createTestApi(engine);
      failing.observed.failure = new Error("SQLITE_IOERR");
      for (const format of FORMATS) {
        for (const path of [ONE, BOOK_LISTS[0]!]) {
          const { status } = await failing.get(withQuery(path, `format=${format}`));
          expect([format, path, status]).toEqual([format, path, 503]);
        }
      }
      expect(failing.observed.openSnapshots).toBe(0);
    });
  });
}
