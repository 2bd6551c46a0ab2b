/** /api/quality and `lacks` on every engine. */
import { describe, expect, test } from "bun:test";
import { BOOK_NEEDS } from "../../onix/completeness/needs.ts";
import { isbn } from "../../stores/testing/books.ts";
import { ENGINES, SQLITE } from "../../stores/testing/engines.ts";
import { searchBook } from "../../stores/testing/search-books.ts";
import { createTestApi, nextPath } from "../testing/api.ts";

const BOOKS = [
  searchBook(1, { title: "Uno", imprint: "Sol", published: "20240115", price: "9.90", languages: ["spa"] }),
  searchBook(2, { title: "Dos", imprint: "Sol", form: "BC" }),
  searchBook(3, { title: "Tres" }),
];

for (const engine of ENGINES) {
  test(`counts books, and finds those behind each count (${engine.name})`, async () => {
    await using api = await createTestApi(engine, { books: BOOKS });
    const { json, headers } = await api.get("/api/quality");
    expect(json).toMatchObject({
      books: 3,
      has: { title: 3, form: 1, price: 1, cover: 0, date: 1 },
      imprints: [{ slug: "sol", name: "Sol", books: 2, has: { title: 2, price: 1 } }],
      otherImprints: { imprints: 0, books: 0 },
      withoutImprint: { books: 1, has: { title: 1, price: 0 } },
      languages: [{ value: "spa", books: 1 }],
      forms: [{ value: "BC", books: 1 }],
      prices: [{ currency: "EUR", from: 7, below: 10, books: 1 }],
      months: [{ value: "202401", books: 1 }],
      unlisted: { languages: 0, forms: 0, prices: 0, months: 0 },
    });
    expect(Object.keys(json.has)).toEqual([...BOOK_NEEDS]);
    expect(
      (await api.get("/api/quality", { headers: { "if-none-match": headers.get("etag")! } })).status,
    ).toBe(304);
    const lacking = await api.get("/api/search?imprint=sol&lacks=price");
    expect(lacking.headers.get("x-total-count")).toBe("1");
    expect(lacking.json).toMatchObject([{ isbn: isbn(2) }]);
    expect((await api.get("/api/facets?lacks=price,date")).json.total).toBe(2);
  });
}

describe("lacks", () => {
  test("is part of the pages of a search, however its names are spelt", async () => {
    await using api = await createTestApi(SQLITE, { books: BOOKS });
    const first = await api.get("/api/search?lacks=Cover,audience,cover&limit=2");
    expect(first.headers.get("link")).toContain("lacks=cover%2Caudience");
    const second = await api.get(nextPath("/api/search", first)!);
    expect([first.json.length, second.json.length]).toEqual([2, 1]);
  });

  test.each(["lacks=blurb", "lacks=", "lacks=cover,", "lacks=cover&lacks=price"])(
    "is 400 for %s",
    async (query) => {
      await using api = await createTestApi(SQLITE, { books: false });
      expect((await api.get(`/api/search?${query}`)).status).toBe(400);
    },
  );
});
