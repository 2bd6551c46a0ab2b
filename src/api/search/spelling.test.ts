/** Corrections of /api/search, /api/facets and /api/suggest on every engine. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { wrapStore } from "../../catalog/wrap-store.ts";
import { importBooks, isbn } from "../../stores/testing/books.ts";
import { ENGINES } from "../../stores/testing/engines.ts";
import { searchBook } from "../../stores/testing/search-books.ts";
import { createTestApi, nextPath } from "../testing/api.ts";
import { sharedApi } from "../testing/shared-api.ts";
import { SHELF_ENTRIES } from "./testing/shelf.ts";

test.each(ENGINES)(
  "an import between a search and its correction leaves no wrong response ($name)",
  async (engine) => {
    await using api = await createTestApi(engine, { books: false });
    await importBooks(api.store, [searchBook(1, { title: "Soledad" })]);
    let hasEnded = false;
    const store = wrapStore(api.store, (method, name) =>
      name === "correct"
        ? async (...args) => {
            const correction = await method(...args);
            if (!hasEnded) await importBooks(api.store, [searchBook(2, { title: "Soledat" })]);
            hasEnded = true;
            return correction;
          }
        : method,
    );
    const app = await api.withOptions({ store: { ...store, lookupTransaction: undefined } });
    for (const path of ["/api/search?q=soledat", "/api/facets?q=soledat", "/api/suggest?q=soledatt"]) {
      hasEnded = false;
      await importBooks(api.store, [], [isbn(2)]);
      const during = await app.get(path);
      const [after, validated] = [
        await api.get(path),
        await api.get(path, { headers: { "If-None-Match": during.headers.get("etag")! } }),
      ];
      const [shown, expected] = [during, after].map(({ text, headers }) => [
        text,
        headers.get("x-search-corrected"),
      ]);
      const isSame = Bun.deepEquals(shown, expected);
      expect([path, hasEnded, validated.status]).toEqual([path, true, isSame ? 304 : 200]);
    }
  },
);

test.each(ENGINES)(
  "words of books that are gone are in no validator of another response ($name)",
  async (engine) => {
    const letters = [..."abcdefghijklmnopqrstuvwxyz"];
    const near = [..."mnop"].flatMap((_, at) =>
      letters.flatMap((letter) => [
        `${"mnop".slice(0, at)}${letter}${"mnop".slice(at)}`,
        `${"mnop".slice(0, at)}${letter}${"mnop".slice(at + 1)}`,
      ]),
    );
    const gone = [...new Set(near)].filter((word) => !["mnop", "znop"].includes(word));
    await using fresh = await createTestApi(engine, { books: false });
    await using old = await createTestApi(engine, { books: false });
    const kept = searchBook(900, { title: "znop" });
    const books = gone.map((word, index) => searchBook(index + 1, { title: word }));
    await importBooks(old.store, books);
    await importBooks(
      old.store,
      [kept],
      books.map((book) => book.isbn),
    );
    await importBooks(fresh.store, [kept]);
    for (const path of ["/api/search?q=mnop", "/api/facets?q=mnop", "/api/suggest?q=mnop"]) {
      const [first, second] = [await fresh.get(path), await old.get(path)];
      const isSame = first.headers.get("etag") === second.headers.get("etag");
      expect([path, isSame]).toEqual([path, first.text === second.text]);
    }
  },
);

for (const engine of ENGINES) {
  describe(`spelling (${engine.name})`, () => {
    const api = sharedApi(() => createTestApi(engine, { books: SHELF_ENTRIES }));

    async function get(path: string) {
      const response = await api.get(path);
      const header = response.headers.get("x-search-corrected");
      return { ...response, corrected: header && decodeURIComponent(header) };
    }

    test("a query that finds nothing is corrected, and the response says so", async () => {
      const { json, corrected, headers } = await get("/api/search?q=Gracia+m%C3%A1rqeuz");
      expect(corrected).toBe("garcia marquez");
      expect(json.map(({ isbn }: { isbn: string }) => isbn)).toEqual(["9789999931021"]);
      expect(headers.get("x-total-count")).toBe("1");
      expect(headers.get("access-control-expose-headers")).toContain("X-Search-Corrected");
    });

    test("spelling=off forbids it, and a query that finds books needs none", async () => {
      const off = await get("/api/search?q=gracia&spelling=off");
      expect([off.json, off.corrected]).toEqual([[], null]);
      expect((await get("/api/search?q=garcia")).corrected).toBeNull();
      expect((await get("/api/search?q=garcia&language=eng")).corrected).toBeNull();
      expect((await get("/api/search?q=gracia&spelling=on")).status).toBe(400);
    });

    test("search and facets agree on totals and corrections, whatever is searched and chosen", async () => {
      // Most filters are not chosen, so that books are found.
      const values = (...all: string[]) =>
        fc.tuple(fc.nat(3), fc.subarray(all)).map(([rest, some]) => (rest ? [] : some));
      const parameters = fc.record({
        q: fc.constantFrom(
          [],
          ["nohce"],
          ["noche"],
          ["mar no"],
          ["el nohce"],
          ["ana delmar"],
          ["9789999931"],
        ),
        prefix: values("last"),
        spelling: values("off"),
        language: values("spa", "cat", "eng"),
        imprint: values("ancla-azul", "peninsula"),
        form: values("BB", "EA"),
        availability: values("20", "40"),
        from: values("20240101"),
        lacks: values("form"),
      });
      const chosen = fc.sample(parameters, { numRuns: 80, seed: 1 });
      let [corrected, found] = [0, 0];
      for (const each of chosen) {
        const query = (change: object) =>
          Object.entries({ ...each, ...change })
            .flatMap(([name, all]) => all.map((value: string) => `${name}=${encodeURIComponent(value)}`))
            .join("&");
        const search = await get(`/api/search?${query({})}`);
        const facets = await get(`/api/facets?${query({})}`);
        const { total } = facets.json;
        expect([query({}), facets.corrected, total, String(total)]).toEqual([
          query({}),
          search.corrected,
          search.json.length,
          search.headers.get("x-total-count")!,
        ]);
        if (search.corrected) corrected++;
        if (total > 0) found++;
        // Each value is counted as if it alone were chosen of its filter.
        for (const name of ["language", "imprint"]) {
          const [first] = facets.json.facets[name].values;
          if (!first) continue;
          const one = query({ [name]: [first.value] });
          expect([one, (await get(`/api/search?${one}`)).json.length]).toEqual([one, first.count]);
        }
      }
      expect([corrected > 5, found > 20]).toEqual([true, true]);
    });

    test("the cursor of a page keeps the correction", async () => {
      const whole = await get("/api/search?q=nohce");
      const isbns: string[] = [];
      for (let path: string | undefined = "/api/search?q=nohce&limit=1"; path; ) {
        const page = await get(path);
        expect(page.corrected).toBe("noche");
        isbns.push(...page.json.map(({ isbn }: { isbn: string }) => isbn));
        path = nextPath(path, page);
      }
      expect(isbns).toEqual(whole.json.map(({ isbn }: { isbn: string }) => isbn));
      expect(isbns).toHaveLength(3);
    });

    test("a correction of what is being typed finds the same books on each page", async () => {
      const books = ["Anillo", "Anillos", "Anillo azul"].map((title, at) => searchBook(at + 1, { title }));
      await using own = await createTestApi(engine, { books });
      const pagesOf = async (q: string) => {
        const pages: string[] = [];
        for (let path: string | undefined = `/api/search?prefix=last&limit=1&q=${q}`; path; ) {
          const page = await own.get(path);
          pages.push(`${page.json[0].isbn} of ${page.headers.get("x-total-count")}`);
          path = nextPath(path, page);
        }
        return pages;
      };
      const pages = await pagesOf("anillo");
      expect(pages).toHaveLength(3);
      expect(await pagesOf("anillo+7")).toEqual(pages);
    });

    test("suggestions offer the correction beside few results", async () => {
      expect((await get("/api/suggest?q=garcia+mraquez")).json.suggestions).toEqual([
        { kind: "correction", label: "garcia marquez", path: "/api/search?q=garcia%20marquez&prefix=last" },
      ]);
    });
  });
}
