/** /api/suggest on every engine. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { summaryOfEntry } from "../../catalog/entry.ts";
import { waitFor } from "../../lib/testing/wait-for.ts";
import { importBooks, isbn } from "../../stores/testing/books.ts";
import { DATABASE_ENGINES, ENGINES, SQLITE } from "../../stores/testing/engines.ts";
import { searchBook } from "../../stores/testing/search-books.ts";
import { createTestApi } from "../testing/api.ts";
import { sharedApi } from "../testing/shared-api.ts";
import { readLabels } from "./newest-labels.ts";
import { SHELF_ENTRIES } from "./testing/shelf.ts";

for (const engine of ENGINES) {
  describe(`suggestions (${engine.name})`, () => {
    const api = sharedApi(() => createTestApi(engine, { books: SHELF_ENTRIES }));

    async function suggest(query: string): Promise<string[]> {
      const { status, json } = await api.get(`/api/suggest?${query}`);
      expect([query, status]).toEqual([query, 200]);
      return json.suggestions.map(({ kind, label }: { kind: string; label: string }) => `${kind} ${label}`);
    }

    test.each([
      ["noc", ["book Noche", "book La noche y el mar", "book El mar de noche"]],
      ["El Mar", ["book El mar", "book El mar de noche", "book La noche y el mar"]],
      ["marquez ga", ["contributor Gabriel García Márquez"]],
      ["G. Garc", ["contributor Gabriel García Márquez"]],
      ["Márquez, G.G.", ["contributor Gabriel García Márquez"]],
      ["x. marquez", []],
      ["pen", ["imprint Península"]],
      ["panorama nar", ["series Panorama de narrativas"]],
      ["978-99999-3102", ["book El mar de noche"]],
      ['"noche" y*', ["book La noche y el mar"]],
      ["noche xy", []],
      ["la n", ["book La noche y el mar"]],
      ["garcia x", []],
      ["978 99999 3102", ["book El mar de noche"]],
      ["n", []],
      ["", []],
    ])("completes %p", async (q, expected) => {
      expect(await suggest(`q=${encodeURIComponent(q)}`)).toEqual(expected);
    });

    test("takes any text, up to 32 words", async () => {
      const texts = fc.sample(fc.string({ unit: fc.constantFrom(...'0719-*"a· (') }), {
        numRuns: 60,
        seed: 1,
      });
      for (const text of ["-9788", "--12", ...texts]) await suggest(`q=${encodeURIComponent(text)}`);
      expect((await api.get(`/api/suggest?q=${"a+".repeat(33)}`)).status).toBe(400);
    });

    test("each suggestion leads to what it names, and tells the books that there are", async () => {
      const { json } = await api.get("/api/suggest?q=mar");
      const book = json.suggestions.find(({ kind }: { kind: string }) => kind === "book");
      expect(book).toEqual({
        kind: "book",
        label: "La noche y el mar",
        path: "/api/isbn/9789999931038",
        isbn: "9789999931038",
      });
      expect((await api.get("/api/suggest?q=azu")).json.suggestions).toEqual([
        {
          kind: "imprint",
          label: "Ancla Azul",
          path: "/api/imprint/ancla-azul",
          slug: "ancla-azul",
          books: 2,
        },
      ]);
      for (const { path } of json.suggestions) expect((await api.get(path)).status).toBe(200);
      expect((await api.get("/api/suggest?q=mar&limit=1")).json.suggestions).toHaveLength(1);
    });
  });
}

test.each(ENGINES)(
  "a common beginning is completed from memory, with each import ($name)",
  async (engine) => {
    await using api = await createTestApi(engine, { books: false });
    const common = Array.from({ length: 30 }, (_, index) =>
      searchBook(index + 1, {
        title: `Common ${index}`,
        contributors: ["Ana Commodore"],
        imprint: "Commons",
      }),
    );
    await importBooks(api.store, common);
    const first = await api.get("/api/suggest?q=com");
    let spaces = "";
    const expectFromMemory = (suggestions: unknown) =>
      waitFor("a response without a search", async () => {
        const { searches } = api.observed;
        // The response cache has no such request yet.
        spaces += "+";
        const { json } = await api.get(`/api/suggest?q=com${spaces}`);
        expect(json.suggestions).toEqual(suggestions);
        return api.observed.searches === searches;
      });
    await expectFromMemory(first.json.suggestions);
    await importBooks(api.store, [searchBook(31, { title: "Comet", published: "20990101" })]);
    const { json } = await api.get(`/api/suggest?q=Com`);
    expect(json.suggestions[0]).toMatchObject({ kind: "book", label: "Comet" });
    await expectFromMemory(json.suggestions);
  },
);

test.each(ENGINES)("the first suggestions of a process are those that follow ($name)", async (engine) => {
  await using api = await createTestApi(engine, { books: false });
  const newer = Array.from({ length: 60 }, (_, index) =>
    searchBook(index + 1, {
      title: `El libro ${index}`,
      contributors: index < 30 ? ["Ana Naranjo"] : [],
      published: "20200101",
    }),
  );
  await importBooks(api.store, [...newer, searchBook(99, { title: "El naso", published: "20100101" })]);
  for (const [words, expected] of [
    ["el+na", { kind: "book", label: "El naso" }],
    ["ana+na", { kind: "contributor", label: "Ana Naranjo" }],
  ] as const) {
    const [started, used] = [await api.withOptions({}), await api.withOptions({})];
    await used.get("/api/suggest?q=el");
    const [first, second] = [
      await started.get(`/api/suggest?q=${words}`),
      await used.get(`/api/suggest?q=${words}`),
    ];
    expect(first.json.suggestions).toMatchObject([expected]);
    expect(second.json).toEqual(first.json);
    expect(second.headers.get("ETag")).toBe(first.headers.get("ETag"));
  }
});

test.each(DATABASE_ENGINES)("never shows a label of a damaged summary ($name)", async (engine) => {
  const entry = searchBook(1, {
    title: "Noche azul",
    contributors: ["Ana Noriega"],
    description: "x".repeat(99),
  });
  const testStore = await engine.createStore((store) => importBooks(store, [entry]));
  await using api = await createTestApi({ ...engine, createStore: async () => testStore });
  const path = "/api/suggest?q=no";
  expect((await api.get(path)).json.suggestions).toHaveLength(2);
  const summary = Buffer.from(summaryOfEntry(entry).body).toString();
  const damages = [
    ["Noche", "Nocte"],
    ["Noriega", "Noriego"],
    ['"contributors"', '"contributorz"'],
    [":[", ":("],
  ];
  for (const [text, damaged] of damages) {
    await testStore.overwriteSummary(entry.isbn, Buffer.from(summary.replace(text!, damaged!)));
    const other = await api.withOptions({});
    expect([damaged, (await other.get(path)).status]).toEqual([damaged!, 500]);
    expect(String(other.errors.at(-1)?.error)).toContain(entry.isbn);
  }
  expect(api.observed.openSnapshots).toBe(0);
});

test("a name that is written with the typed initials comes before those that they stand for", async () => {
  const names = ["Clara Sanz", "Clara Sanz", "Carlos Solís", "C. S. Lewis"];
  const books = names.map((name, index) => searchBook(index + 1, { title: "Uno", contributors: [name] }));
  await using api = await createTestApi(SQLITE, { books });
  const { json } = await api.get("/api/suggest?q=C.+S");
  expect(json.suggestions.map(({ label }: { label: string }) => label)).toEqual([
    "C. S. Lewis",
    "Clara Sanz",
    "Carlos Solís",
  ]);
});

test("a book with hundreds of contributors is suggested by its titles alone", async () => {
  const contributors = Array.from({ length: 300 }, (_, number) => `Noelia Prieto ${number}`);
  const entry = searchBook(1, { title: "Noche azul", series: "Noches", contributors });
  await using api = await createTestApi(SQLITE, { books: [entry] });
  const labels = async (q: string) =>
    (await api.get(`/api/suggest?q=${q}`)).json.suggestions.map(({ label }: { label: string }) => label);
  expect(await labels("noch")).toEqual(["Noche azul", "Noches"]);
  expect(await labels("noelia")).toEqual([]);
});

test("labels are read in batches, each in an event-loop tick of its own", async () => {
  let ticks = 0;
  const ticksOfBatches: number[] = [];
  const summariesOf: Parameters<typeof readLabels>[0] = (isbns) => {
    ticksOfBatches.push(ticks);
    setImmediate(() => ticks++);
    return [isbns.map((isbn) => Buffer.from(JSON.stringify({ isbn, title: "T", publisher: null })))];
  };
  const isbns = Array.from({ length: 60 }, (_, index) => isbn(index + 1));
  const labels = await readLabels(summariesOf, isbns);
  expect([...labels.keys()]).toEqual(isbns);
  expect(ticksOfBatches).toEqual([0, 1, 2]);
});
