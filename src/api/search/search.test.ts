/** /api/search and /api/facets on every engine: the same books in the same order. */
import { describe, expect, test } from "bun:test";
import { summaryOfEntry } from "../../catalog/entry.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { importBooks } from "../../stores/testing/books.ts";
import { ENGINES, SQLITE } from "../../stores/testing/engines.ts";
import { sealText } from "../paging/cursor.ts";
import { createTestApi, nextPath } from "../testing/api.ts";
import { expectGet, readPages, sharedApi } from "../testing/shared-api.ts";
import { SHELF, SHELF_ENTRIES, shelfEntry } from "./testing/shelf.ts";

/** The books of `SHELF` by the last digits of their ISBNs. */
const numbersOf = (summaries: readonly { isbn: string }[]) => summaries.map(({ isbn }) => isbn.slice(10, 12));

for (const engine of ENGINES) {
  describe(`search (${engine.name})`, () => {
    const api = sharedApi(() => createTestApi(engine, { books: SHELF_ENTRIES }));

    /** Returns the numbers of the books that are found, in their order. */
    async function search(query: string): Promise<string[]> {
      const response = await api.get(`/api/search?${query}`);
      expect([query, response.status]).toEqual([query, 200]);
      expect(response.headers.get("x-total-count")).toBe(String(response.json.length));
      return numbersOf(response.json);
    }

    test.each([
      ["MÁRQUEZ García", ["02"]],
      ["playa", ["05"]],
      ["ohara", ["05"]],
      ["東京", ["07"]],
      ['"noche el mar"', []],
      ["noch* -garcia", ["04", "03"]],
      ["9999931022", ["02"]],
      ["ancla azul", ["01", "02"]],
    ])("finds %s", async (q, expected) => {
      const found = await search(`q=${encodeURIComponent(q)}`);
      expect(found.toSorted()).toEqual(expected.toSorted());
    });

    test("ranks a whole title first, then its beginning, titles, contributors, and the rest", async () => {
      expect(await search("q=el+mar")).toEqual(["01", "02", "03", "04", "05"]);
      expect(await search("q=noche")).toEqual(["04", "03", "02"]);
    });

    test.each([
      ["imprint=ancla-azul", ["01", "02"]],
      ["imprint=Pen%C3%8Dnsula", ["04", "03"]],
      ["imprint=nobody", []],
      ["subject=93:F", ["01", "02"]],
      ["contributor=ana+DEL+Mar.", ["04"]],
      ["language=cat&language=spa&form=bb&form=BC", ["03", "01", "02", "06"]],
      ["availability=40", ["03"]],
      ["status=04", ["01", "02"]],
      ["from=20240101&to=20250601", ["03", "01"]],
      ["q=noche&status=04&status=02", ["02"]],
    ])("filters by %s, newest first without a query", async (query, expected) => {
      const found = await search(query);
      if (query.startsWith("q=")) expect(found.toSorted()).toEqual(expected);
      else expect(found).toEqual(expected);
    });

    test.each([
      ["", ["05", "04", "03", "01", "07", "02", "06"]],
      ["sort=newest", ["05", "04", "03", "01", "07", "02", "06"]],
      ["sort=oldest", ["02", "07", "01", "03", "04", "05", "06"]],
      ["sort=title", ["06", "05", "01", "02", "03", "04", "07"]],
      ["q=mar&sort=newest", ["05", "04", "03", "01", "02", "06"]],
      ["q=mar&sort=title&language=spa", ["06", "01", "02", "03", "04"]],
    ])("sorts by %s, books without a date last", async (query, expected) => {
      expect(await search(query)).toEqual(expected);
    });

    test("returns the stored summaries, and with view=record the records, as bytes", async () => {
      const entries = SHELF_ENTRIES.slice(0, 2);
      const text = (bodies: readonly Uint8Array[]) =>
        `[${bodies.map((body) => Buffer.from(body).toString()).join()}]`;
      const path = "/api/search?imprint=ancla-azul";
      expect((await api.get(path)).text).toBe(text(entries.map((entry) => summaryOfEntry(entry).body)));
      expect((await api.get(`${path}&view=record`)).text).toBe(text(entries.map(({ body }) => body)));
    });

    test.each([
      "",
      "q=mar",
      "q=mar&sort=newest",
      "q=el+mar&sort=oldest",
      "sort=title",
      "language=spa&sort=title",
    ])("has pages that are the whole list: %s", async (query) => {
      const whole = (await api.get(`/api/search?${query}`)).json;
      expect(whole.length).toBeGreaterThan(3);
      for (const limit of [1, 2, 3]) {
        const read: unknown[] = [];
        for await (const { headers, json } of readPages(api, `/api/search?${query}&limit=${limit}`)) {
          expect(headers.get("x-total-count")).toBe(String(whole.length));
          read.push(...json);
          if (headers.has("link")) expect(json).toHaveLength(limit);
        }
        expect(read).toEqual(whole);
      }
    });

    test("has no Link on the last page, and one with the parameters in one spelling on the others", async () => {
      const path = "/api/search?q=+%22el%20mar%22+&language=SPA&imprint=Ancla+Azul&utm=x&limit=1&view=record";
      const response = await api.get(path);
      expect(response.headers.get("link")).toMatch(
        /^<\?q=%22el%20mar%22&imprint=ancla-azul&language=spa&view=record&limit=1&cursor=[\w-]+>; rel="next"$/,
      );
      expect((await api.get(nextPath(path, response)!)).headers.has("link")).toBe(false);
    });

    test("refuses a cursor without what its order compares, or with more, also with the right digest", async () => {
      const mar = { terms: [{ kind: "words", words: ["mar"] }], excluded: [] };
      for (const { sort, query = null, tier, title } of [
        { sort: "title", tier: 0, title: "mar" },
        { sort: "newest", tier: 0, title: null },
        { sort: "relevance", query: mar, tier: 1, title: null },
      ]) {
        const name = `search ${JSON.stringify([query, { form: ["BC"] }, sort])}`;
        const status = async (...values: readonly unknown[]) => {
          const cursor = sealText(name, JSON.stringify(["9789999931021", "20240101", ...values]));
          const q = query ? "&q=mar" : "";
          return (await api.get(`/api/search?form=BC&sort=${sort}${q}&cursor=${cursor}`)).status;
        };
        const statuses = [
          await status(tier, title),
          await status(1 - tier, title),
          await status(tier, title ? null : "mar"),
        ];
        expect([sort, ...statuses]).toEqual([sort, 200, 400, 400]);
      }
    });

    test("takes a cursor with another limit, view and spelling, and refuses it for another search", async () => {
      const response = await api.get("/api/search?q=mar&language=spa&limit=1");
      const cursor = /cursor=([\w-]+)/.exec(response.headers.get("link")!)![1];
      for (const query of ["q=+MAR&language=SPA&limit=2", "language=spa&q=mar&view=record&sort=relevance"])
        expect((await api.get(`/api/search?${query}&cursor=${cursor}`)).status).toBe(200);
      for (const query of [
        "q=mare&language=spa",
        "q=mar",
        "q=mar&language=eng",
        "language=spa",
        "q=mar&language=spa&sort=newest",
        "q=-sol+mar&language=spa",
      ]) {
        const refused = { status: 400, message: "Bad Request", detail: "cursor" };
        await expectGet(api, `/api/search?${query}&cursor=${cursor}`, refused);
      }
      for (const other of ["", "x", `${cursor}A`, "%ff"])
        expect((await api.get(`/api/search?q=mar&language=spa&cursor=${other}`)).status).toBe(400);
      expect((await api.get(`/api/skus?limit=1&cursor=${cursor}`)).status).toBe(400);
    });

    test("sees an import that ended before the request, also when the response was cached", async () => {
      const paths = ["/api/search?q=horizonte", "/api/facets?q=horizonte"];
      const read = async () => {
        const [books, facets] = await Promise.all(paths.map((path) => api.get(path)));
        return [books!.json.length, facets!.json.total];
      };
      for (let count = 0; count < 4; count++) expect(await read()).toEqual([0, 0]);
      const book = { isbn: "9789999931106", title: "Horizonte" };
      const [before] = await Promise.all(paths.map((path) => api.get(path)));
      await importBooks(api.store, [shelfEntry(book)]);
      expect(await read()).toEqual([1, 1]);
      const etag = before!.headers.get("etag")!;
      expect((await api.get(paths[0]!, { headers: { "If-None-Match": etag } })).status).toBe(200);
      await importBooks(api.store, [shelfEntry({ ...book, title: "Otro" })]);
      expect(await read()).toEqual([0, 0]);
      await importBooks(api.store, [], [book.isbn as Isbn13]);
      expect((await api.get(paths[0]!, { headers: { "If-None-Match": etag } })).status).toBe(304);
    });

    test("counts each facet without its own filter, with labels for its values", async () => {
      const facet = (total: number, ...rows: [string, string, number][]) => ({
        total,
        counted: total,
        distinct: rows.length,
        unlisted: 0,
        values: rows.map(([value, label, count]) => ({ value, label, count })),
      });
      const PAPERBACK = ["BC", "Paperback / softback", 1] as [string, string, number];
      const expected = {
        total: 3,
        counted: 3,
        facets: {
          imprint: facet(3, ["peninsula", "Península", 2], ["ancla-azul", "Ancla Azul", 1]),
          language: facet(3, ["spa", "Spanish", 3], ["cat", "Catalan", 1]),
          form: facet(3, ["BB", "Hardback", 1], PAPERBACK, ["EA", "Digital (delivered electronically)", 1]),
          availability: facet(3, ["20", "Available", 1], ["40", "Not available (reason unspecified)", 1]),
          audience: facet(3),
          price: facet(3),
          year: facet(3, ["2020", "2020", 1], ["2025", "2025", 1], ["2026", "2026", 1]),
          lacks: expect.anything(),
        },
      };
      expect((await api.get("/api/facets?q=noche")).json).toEqual(expected);
      const chosen = (await api.get("/api/facets?q=noche&language=cat&labels=spa")).json;
      expect(chosen).toMatchObject({
        total: 1,
        facets: {
          language: facet(3, ["spa", "Español / Castellano", 3], ["cat", "Catalán", 1]),
          form: facet(1, ["BC", "Tapa blanda o Bolsillo", 1]),
        },
      });
      const all = (await api.get("/api/facets?limit=1&sort=title")).json;
      expect([all.total, all.facets.language.values[0].count]).toEqual([7, 5]);
      const none = (await api.get("/api/facets?q=nothing")).json;
      expect([none.total, none.facets.year]).toEqual([0, facet(0)]);
      const etags = await Promise.all(
        ["", "?labels=eng", "?labels=spa"].map((query) => api.get(`/api/facets${query}`)),
      );
      expect(new Set(etags.map(({ headers }) => headers.get("etag"))).size).toBe(2);
    });
  });
}

test("a search runs beside the event loop: a lookup that starts after it is responded to before it", async () => {
  await using api = await createTestApi(SQLITE, { books: SHELF_ENTRIES });
  const completed: string[] = [];
  const get = async (path: string) => {
    expect((await api.get(path)).status).toBe(200);
    completed.push(path);
  };
  // Tokens that are verified and threads that run make nobody wait.
  await get("/api/search?q=mar");
  const lookup = `/api/isbn/${SHELF[0]!.isbn}`;
  completed.length = 0;
  // The result of a thread arrives in a later tick of the event loop, but a lookup ends in its own.
  await Promise.all(
    [...["mar", "noche", "sol"].flatMap((q) => [`/api/search?q=${q}`, `/api/facets?q=${q}`]), lookup].map(
      get,
    ),
  );
  expect(completed).toHaveLength(7);
  expect(completed[0]).toBe(lookup);
});
