/** /api/work and group=work on every engine. */
import { describe, expect, test } from "bun:test";
import type { Entry } from "../catalog/store.ts";
import { createEntry } from "../catalog/testing/entries.ts";
import { importBooks } from "../stores/testing/books.ts";
import { ENGINES, SQLITE } from "../stores/testing/engines.ts";
import { createTestApi, nextPath } from "./testing/api.ts";
import { recordOf } from "./testing/books.ts";
import { expectGet, readPages, sharedApi } from "./testing/shared-api.ts";

const isbn = (number: number) => `97899999400${number}0`;

/** The edition with a number names others, and is newer than those with higher numbers. */
function edition(number: number, names: readonly number[] = [], work?: string): Entry {
  const record = recordOf({ isbn: isbn(number), title: "Faro", published: `${2030 - number}0101` });
  const related = {
    ...(work && {
      RelatedWork: [{ WorkRelationCode: "01", WorkIdentifier: [{ WorkIDType: "11", IDValue: work }] }],
    }),
    RelatedProduct: names.map((name) => ({
      ProductRelationCode: ["06"],
      ProductIdentifier: [{ ProductIDType: "15", IDValue: isbn(name) }],
    })),
  };
  const RelatedMaterial = names.length > 0 || work ? { RelatedMaterial: related } : {};
  return createEntry({ ...record, ...RelatedMaterial }, `ref-${number}`, { release: "3.0" });
}

/** 1 and 3 by the work, 4 and 5 by a name, 6 and 7 by 8, which names both. 2 is alone. */
const EDITIONS = [
  edition(1, [], "A"),
  edition(2),
  edition(3, [], "a"),
  edition(4, [5]),
  edition(5),
  edition(6),
  edition(7),
  edition(8, [6, 7]),
];

interface Hit {
  readonly isbn: string;
  readonly RecordReference: string;
  readonly editions?: readonly string[];
}

/** Returns the number of each hit, and those of its editions. */
const numbersOf = (hits: readonly Hit[]) =>
  hits.map(({ isbn, RecordReference, editions = [] }) =>
    [isbn ?? RecordReference, ...editions].map((each) => Number(each[11])),
  );

for (const engine of ENGINES) {
  describe(`works (${engine.name})`, () => {
    const api = sharedApi(() => createTestApi(engine, { books: EDITIONS }));

    test("returns the summaries of all editions, whichever is asked for", async () => {
      const bodies: string[] = [];
      for (const number of [6, 7, 8]) {
        const { json, text } = await expectGet(api, `/api/work/${isbn(number)}`, 200);
        expect(json.complete).toBe(true);
        const summaries = (await api.get(`/api/isbns/${[6, 7, 8].map(isbn)}?view=summary`)).json;
        expect(json.editions).toEqual(summaries);
        bodies.push(text);
      }
      expect(new Set(bodies).size).toBe(1);
      const alone = await api.get(`/api/work/${isbn(2)}`);
      expect(alone.json.editions.map((each: Hit) => each.isbn)).toEqual([isbn(2)]);
    });

    test("returns 400, 401 and 404 as /api/isbn does", async () => {
      await expectGet(api, "/api/work/978", { status: 400, message: "Bad Request" });
      await expectGet(api, "/api/work/9789999940099", { status: 404, message: "Book not found" });
      await expectGet(api, "/api/work/9789999940099", { status: 401 }, { token: null });
    });

    test("groups the books of a search by work, in its order", async () => {
      const grouped = await api.get("/api/search?q=faro&group=work");
      expect(numbersOf(grouped.json)).toEqual([[1, 3], [2], [4, 5], [6, 7, 8]]);
      expect(grouped.headers.get("x-total-count")).toBe("8");
      const oldest = await api.get("/api/search?sort=oldest&group=work&view=record");
      expect(numbersOf(oldest.json)).toEqual([[8, 7, 6], [5, 4], [3, 1], [2]]);
      const lines = (await api.get("/api/search?q=faro&group=work&format=ndjson")).text.trim().split("\n");
      expect(lines.map((line) => JSON.parse(line))).toEqual(grouped.json);
      const cut = await api.get("/api/search?q=faro&group=work&fields=title");
      expect(cut.json.map(Object.keys)).toEqual(
        grouped.json.map((hit: object) => ["title", ...("editions" in hit ? ["editions"] : [])]),
      );
      const csv = (await api.get("/api/search?q=faro&group=work&format=csv")).text.trim().split("\r\n");
      expect(csv.length).toBe(5);
    });

    test("groups within each page, and pages have the same books as without groups", async () => {
      const pages = await Array.fromAsync(readPages(api, "/api/search?q=faro&group=work&limit=3"));
      expect(pages.map(({ json }) => numbersOf(json))).toEqual([[[1, 3], [2]], [[4, 5], [6]], [[7, 8]]]);
      expect(nextPath("/api/search", pages[0]!)).toContain("group=work");
      await expectGet(api, "/api/search?group=title", { status: 400 });
    });
  });
}

test("a work has a new validator after an import, and 304 before it", async () => {
  await using api = await createTestApi(SQLITE, { books: EDITIONS });
  const path = `/api/work/${isbn(4)}`;
  const read = async () => {
    const { headers, json } = await api.get(path);
    const again = await api.get(path, { headers: { "If-None-Match": headers.get("etag")! } });
    expect(again.status).toBe(304);
    return [headers.get("etag"), json.editions.map(({ isbn }: Hit) => Number(isbn[11]))] as const;
  };
  // The response cache has the response from the second request on.
  const [before] = [await read(), await read(), await read()];
  expect(before[1]).toEqual([4, 5]);
  await importBooks(api.store, [edition(5, [2])]);
  const after = await read();
  expect(after[1]).toEqual([2, 4, 5]);
  expect(after[0]).not.toBe(before[0]);
  await importBooks(api.store, [], [EDITIONS[4]!.isbn]);
  expect((await read())[1]).toEqual([4]);
});
