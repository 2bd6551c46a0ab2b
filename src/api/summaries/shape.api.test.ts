/** `fields`, `labels` and `highlight` of the endpoints that return summaries. */
import { describe, expect, test } from "bun:test";
import { importBooks } from "../../stores/testing/books.ts";
import { ENGINES } from "../../stores/testing/engines.ts";
import { SHELF, shelfEntry } from "../search/testing/shelf.ts";
import { createTestApi } from "../testing/api.ts";
import { expectGet, readPages, sharedApi, withQuery } from "../testing/shared-api.ts";

const [FIRST, SECOND] = [SHELF[0]!.isbn, SHELF[1]!.isbn];
/** Paths whose books have summaries. */
const LISTS = [
  `/api/isbns/${FIRST},${SECOND}?view=summary`,
  "/api/imprint/ancla-azul?view=summary",
  "/api/imprint/ancla-azul?view=summary&limit=2",
  "/api/news?view=summary&date=20200101",
  "/api/search?imprint=ancla-azul",
];

for (const engine of ENGINES) {
  describe(`summaries in another shape (${engine.name})`, () => {
    const api = sharedApi(async () => {
      const created = await createTestApi(engine, { books: false });
      await importBooks(created.store, SHELF.map(shelfEntry));
      return created;
    });

    test("have the fields and labels that were requested, on every list and as lines", async () => {
      for (const path of LISTS) {
        const whole = (await expectGet(api, path, 200)).json;
        const { json } = await expectGet(api, withQuery(path, "fields=form,isbn&labels=spa"), 200);
        const label = (form: string) =>
          ({ BC: "Tapa blanda o Bolsillo", BB: "Tapa dura" })[form] ?? expect.any(String);
        const expected = whole.map((book: { isbn: string; form: string }) => ({
          isbn: book.isbn,
          form: book.form,
          formLabel: label(book.form),
        }));
        expect(json).toEqual(expected);
        const lines = await expectGet(api, withQuery(path, "fields=isbn&format=ndjson"), 200);
        expect(lines.text).toBe(whole.map(({ isbn }: { isbn: string }) => `{"isbn":"${isbn}"}\n`).join(""));
      }
      const one = `/api/isbn/${FIRST}?view=summary&fields=title`;
      await expectGet(api, one, { text: '{"title":"El mar"}' });
      await expectGet(api, `${one}&format=ndjson`, { text: '{"title":"El mar"}\n' });
      await expectGet(api, "/api/search?q=nothing&fields=isbn", { text: "[]" });
    });

    test("have validators of their own, and keep their shape on the next page", async () => {
      const shapes = [
        "",
        "fields=isbn",
        "fields=isbn,title",
        "labels=eng",
        "labels=spa",
        "highlight=1",
        "fields=isbn&format=ndjson",
      ];
      const etags = new Set<string>();
      for (const shape of shapes) {
        const path = `/api/search?q=mar&${shape}`;
        for (let times = 0; times < 3; times++) {
          const etag = (await expectGet(api, path, 200)).headers.get("etag")!;
          etags.add(etag);
          await expectGet(api, path, 304, { headers: { "If-None-Match": etag } });
        }
      }
      expect(etags.size).toBe(shapes.length);
      const record = (query: string) => api.get(`/api/isbn/${FIRST}?view=summary${query}`);
      const own = await Promise.all(["", "&fields=isbn", "&labels=eng"].map(record));
      expect(new Set(own.map(({ headers }) => headers.get("etag"))).size).toBe(3);
      const query = "fields=isbn&labels=eng&highlight=1";
      const whole = (await api.get(`/api/search?q=mar&${query}`)).json;
      const pages: unknown[] = [];
      for await (const { json } of readPages(api, `/api/search?q=mar&${query}&limit=2`)) pages.push(...json);
      expect(pages).toEqual(whole);
      expect(whole[0].highlights).toEqual([
        { field: "title", text: "La noche y el mar", ranges: [[14, 17]] },
      ]);
    });

    test("are of summaries in JSON or NDJSON only", async () => {
      const refused = { status: 400, message: "Bad Request" };
      for (const parameter of ["fields=isbn", "labels=eng"]) {
        for (const path of [`/api/isbn/${FIRST}`, "/api/news", "/api/search?view=record"])
          await expectGet(api, withQuery(path, parameter), { ...refused, detail: "view=summary" });
        for (const format of ["csv", "xml"])
          await expectGet(api, `/api/search?format=${format}&${parameter}`, { ...refused, detail: "NDJSON" });
      }
      await expectGet(api, "/api/search?q=a&highlight=1&format=csv", refused);
      for (const wrong of ["fields=", "fields=author", "labels=fra", "highlight=0"])
        await expectGet(api, `/api/search?${wrong}`, refused);
      const ignored = { headers: { "x-ignored-parameters": "fields" } };
      await expectGet(api, "/api/facets?fields=isbn", ignored);
    });
  });
}
