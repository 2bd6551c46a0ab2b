/** Corrections of /api/search, /api/facets and /api/suggest on every engine. */
import { describe, expect, test } from "bun:test";
import { importBooks } from "../../stores/testing/books.ts";
import { ENGINES } from "../../stores/testing/engines.ts";
import { createTestApi, nextPath } from "../testing/api.ts";
import { sharedApi } from "../testing/shared-api.ts";
import { SHELF, shelfEntry } from "./testing/shelf.ts";

for (const engine of ENGINES) {
  describe(`spelling (${engine.name})`, () => {
    const api = sharedApi(async () => {
      const created = await createTestApi(engine, { books: false });
      await importBooks(created.store, SHELF.map(shelfEntry));
      return created;
    });

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

    test("facets count what a corrected search finds, also with filters", async () => {
      for (const query of ["q=nohce", "q=nohce&imprint=peninsula", "q=nohce&language=eng"]) {
        const search = await get(`/api/search?${query}`);
        const facets = await get(`/api/facets?${query}`);
        expect([search.corrected, facets.corrected]).toEqual(["noche", "noche"]);
        expect(facets.json.total).toBe(search.json.length);
      }
      expect((await get("/api/facets?q=nohce&spelling=off")).json.total).toBe(0);
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

    test("suggestions offer the correction beside few results", async () => {
      expect((await get("/api/suggest?q=garcia+mraquez")).json.suggestions).toEqual([
        { kind: "correction", label: "garcia marquez", path: "/api/search?q=garcia%20marquez&prefix=last" },
      ]);
    });
  });
}
