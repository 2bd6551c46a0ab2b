import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ByteOutput } from "../../catalog/formats/list-writer.ts";
import { parseQuery } from "../../catalog/search/query-parser.ts";
import { codeLabel } from "../../onix/code-lists.ts";
import type { Summary } from "../../onix/summary/summary.ts";
import { ENGINES } from "../../stores/testing/engines.ts";
import { exampleSummary } from "../openapi/summary-schema.ts";
import { SHELF, SHELF_ENTRIES } from "../search/testing/shelf.ts";
import { createTestApi } from "../testing/api.ts";
import { expectGet, readPages, sharedApi, withQuery } from "../testing/shared-api.ts";
import { type SummaryShape, SummaryWriter } from "./summary-shape.ts";

/** Writes a summary in a shape, and parses it. */
function shapedSummary(summary: object, shape: SummaryShape, q?: string) {
  const output = new ByteOutput();
  const query = q === undefined ? undefined : parseQuery(q);
  new SummaryWriter(shape, query).write(new TextEncoder().encode(JSON.stringify(summary)), output);
  return JSON.parse(new TextDecoder().decode(output.take()));
}

const NAMES = Object.keys(exampleSummary) as (keyof Summary)[];
/** Texts with everything that JSON escapes, in place of those of the example. */
const summaries = fc.record({
  title: fc.option(fc.string({ unit: "binary" })),
  description: fc.option(fc.constantFrom('\\"}],{', '"', "\\", "a\nb", "[{", "ñ".repeat(60))),
  contributors: fc.array(
    fc.record({ name: fc.option(fc.string()), role: fc.constantFrom("A01", null, "ZZ9") }),
  ),
  form: fc.constantFrom("BC", null, "??", '"'),
  languages: fc.subarray(["spa", "eng", "xxx"]),
});

test("a shape has the members of fields as they are, and nothing else", () => {
  fc.assert(
    fc.property(summaries, fc.subarray(NAMES), (texts, fields) => {
      const summary = { ...exampleSummary, ...texts };
      const expected = Object.fromEntries(fields.map((name) => [name, summary[name]]));
      expect(shapedSummary(summary, { fields })).toEqual(expected);
      expect(shapedSummary(summary, {})).toEqual(summary);
    }),
  );
});

test("the other editions of a hit stay, whatever the fields are", () => {
  expect(shapedSummary({ ...exampleSummary, editions: ["9"] }, { fields: ["form"] })).toEqual({
    form: "BC",
    editions: ["9"],
  });
});

test("labels stand beside the codes, and are null for a code that is absent or unknown", () => {
  fc.assert(
    fc.property(summaries, fc.constantFrom("eng" as const, "spa" as const), (texts, language) => {
      const summary = { ...exampleSummary, ...texts };
      const shaped = shapedSummary(summary, { labels: language });
      const label = (list: number, code: string | null) => codeLabel(list, code ?? "", language) ?? null;
      expect(shaped).toMatchObject(summary);
      expect(shaped.formLabel).toBe(label(150, summary.form));
      expect(shaped.languageLabels).toEqual(summary.languages.map((code) => label(74, code)));
      expect(shaped.contributors).toEqual(
        summary.contributors.map((each) => ({ ...each, roleLabel: label(17, each.role) })) as never,
      );
    }),
  );
  const { prices, markets, formDetailLabels, editionTypeLabels } = shapedSummary(exampleSummary, {
    labels: "spa",
  });
  expect(prices[0]).toMatchObject({ currencyLabel: "Libra esterlina", qualifierLabel: null, conditions: [] });
  expect(markets).toEqual([
    { territory: null, availability: "32", availabilityLabel: "Temporalmente no disponible. En reimpresión" },
  ]);
  expect([formDetailLabels.length, editionTypeLabels]).toEqual([1, []]);
  const part = shapedSummary(exampleSummary, { labels: "eng", fields: ["isbn", "form"] });
  expect(part).toEqual({ isbn: exampleSummary.isbn, form: "BC", formLabel: "Paperback / softback" });
});

describe("highlights", () => {
  const found = (summary: Partial<Summary>, q: string) =>
    shapedSummary({ ...exampleSummary, ...summary }, { highlight: true, fields: [] }, q).highlights.map(
      ({ field, text, ranges }: { field: string; text: string; ranges: [number, number][] }) =>
        `${field}: ${ranges.map(([start, end]) => text.slice(start, end)).join("|")}`,
    );

  test("have the words of the query as the text spells them, in each text", () => {
    const name = (name: string) => ({ contributors: [{ name, role: "A01", roles: ["A01"] }] });
    expect(found({ title: "El Mar, ¡el MÁR! y mares", ...name("Ana del Mar") }, "mar")).toEqual([
      "title: Mar|MÁR",
      "contributors: Mar",
    ]);
    expect(found({ title: "Cien años de soledad" }, '"anos de" sole*')).toEqual(["title: años de|soledad"]);
    expect(found({ title: "東京の海", ...name("Straße") }, "海 strasse")).toEqual([
      "title: 海",
      "contributors: Straße",
    ]);
    expect(found({ ...name("Fred Vargas") }, "F. Vargas")).toEqual(["contributors: Fred|Vargas"]);
    expect(found({}, "nothing -treasure")).toEqual([]);
    expect(found({}, "9789999938228")).toEqual([]);
  });

  test("of a long description have the part around the first word, between two words", () => {
    const words = Array.from({ length: 400 }, (_, index) => `palabra${index}`);
    const description = [...words.slice(0, 200), "𝒜quí", ...words.slice(200)].join(" ");
    const [highlight] = shapedSummary({ description }, { highlight: true }, "aqui palabra5*").highlights;
    expect(highlight.text.length).toBeLessThanOrEqual(240);
    expect(description.split(highlight.text)).toHaveLength(2);
    expect(highlight.text).toMatch(/^palabra.*\d$/);
    for (const [start, end] of highlight.ranges)
      expect(highlight.text.slice(start, end)).toMatch(/^palabra5/);
    expect(found({ description: "海".repeat(500) }, "海")[0]).toHaveLength("description: ".length + 240);
  });

  test("are an empty list without a query, and stand alone without other fields", () => {
    expect(shapedSummary(exampleSummary, { highlight: true, fields: [] })).toEqual({ highlights: [] });
  });
});

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
    const api = sharedApi(() => createTestApi(engine, { books: SHELF_ENTRIES }));

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
