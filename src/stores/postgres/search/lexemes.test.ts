import { expect, test } from "bun:test";
import fc from "fast-check";
import { documentOf, PARTS, type SearchDocument } from "../../../catalog/search/search-document.ts";
import { LexemeSet } from "./lexemes.ts";

type Texts = Partial<Record<(typeof PARTS)[number], string>>;

/** Returns a document with these parts, behind one of another book. */
function documentWith(texts: Texts): SearchDocument {
  const parts = [...PARTS.map(() => "otro"), ...PARTS.map((part) => texts[part] ?? "")].map((text) =>
    Buffer.from(text),
  );
  let end = 0;
  const ends = Uint32Array.from(parts, ({ length }) => (end += length));
  return documentOf({ bytes: new Uint8Array(Buffer.concat(parts)), ends }, 1)!;
}

const lexemes = new LexemeSet();
const lexemesOf = (texts: Texts) => new Map(lexemes.readDocument(documentWith(texts)));

/** The same with strings and a map. */
function model({
  title = "",
  contributor = "",
  label = "",
  rest = "",
  filter = "",
  description = "",
}: Texts) {
  const found = new Map<string, number[]>();
  let place = 0;
  const terms = (text: string) => (text === "" ? [] : text.split(" "));
  const add = (lexeme: string) => found.get(lexeme) ?? found.set(lexeme, []).get(lexeme)!;
  const addField = (text: string, weight: number, prefix?: string) => {
    for (const term of terms(text)) {
      place++;
      if (term === "¦") continue;
      add(term).push(weight | place);
      if (prefix !== undefined && term !== "«" && term !== "»") add(prefix + term);
    }
    place += 2;
  };
  addField(title, 3 << 14, ".");
  addField(contributor, 2 << 14, ",");
  for (const each of title.split("« ").slice(1)) {
    const isWhole = each.trimEnd().endsWith("»");
    const words = terms(each.replace(/»/, "").trim());
    for (let count = 1; count <= Math.min(words.length, 4); count++)
      add(`^${words.slice(0, count).join(" ")}`);
    if (isWhole && words.length <= 4) add(`=${words.join(" ")}`);
  }
  for (const term of terms(contributor)) if (term !== "¦") add(`:${[...term][0]}`);
  for (const term of terms(label)) if (term !== "¦") add(`;${term}`);
  for (const term of terms(filter)) add(term);
  addField([label, rest].filter((text) => text !== "").join(" "), 0);
  addField(description, 0);
  return found;
}

const word = fc.constantFrom("sol", "s", "luna", "ñu", "º", "日本", "😀a", "1984", "sola", "µ");
const words = (max: number) => fc.array(word, { minLength: 1, maxLength: max }).map((list) => list.join(" "));
const texts = (max: number) => fc.array(words(4), { maxLength: max }).map((list) => list.join(" ¦ "));
const title = fc.tuple(fc.array(words(6), { maxLength: 3 }), fc.boolean()).map(([titles, isCut]) =>
  titles
    .map((each) => `« ${each} »`)
    .join(" ")
    .slice(0, isCut ? -2 : undefined),
);

test("the lexemes are those of a model in strings", () => {
  const document = fc.record({
    title,
    contributor: texts(3),
    label: texts(3),
    rest: words(4),
    filter: words(4),
    description: words(40),
  });
  fc.assert(
    fc.property(document, (each) => {
      // The rest continues the label.
      const rest = each.label === "" ? each.rest : ` ${each.rest}`;
      const found = lexemesOf({ ...each, rest });
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(model(each)));
    }),
    { numRuns: 300 },
  );
});

test("the binary format has each lexeme with its positions", () => {
  const set = lexemes.readDocument(documentWith({ title: "« ñu »", filter: "f" }));
  const bytes = Buffer.alloc(set.encodedLength + 1, 0xee);
  set.encode(bytes, 1);
  const lexeme = (text: string, ...positions: number[]) => [
    ...Buffer.from(text),
    0,
    0,
    positions.length,
    ...positions.flatMap((position) => [position >> 8, position & 0xff]),
  ];
  expect([...bytes.subarray(1)]).toEqual([
    ...[0, 0, 0, 7],
    ...lexeme("«", 0xc001),
    ...lexeme("ñu", 0xc002),
    ...lexeme(".ñu"),
    ...lexeme("»", 0xc003),
    ...lexeme("^ñu"),
    ...lexeme("=ñu"),
    ...lexeme("f"),
  ]);
});

test("a word has at most 255 positions, in ascending order and below 2^14", () => {
  const positions = lexemesOf({ description: "sol ".repeat(2000).trim() }).get("sol")!;
  expect(positions).toHaveLength(255);
  expect([...positions]).toEqual(positions.toSorted((a, b) => a - b));
  expect(positions.at(-1)).toBeLessThan(2 ** 14);
});

test("many words are found again, and a document of four times 2,000 of 64 letters stays below the limit of a tsvector", () => {
  const list = (field: string, letter: string) =>
    Array.from({ length: 2000 }, (_, index) => `${field}${index}`.padEnd(64, letter));
  const short = list("c", "a").map((each) => each.slice(0, 6));
  expect([...lexemesOf({ rest: [...short, ...short].join(" ") }).keys()]).toEqual(short);
  const [contributor, rest, description] = ["c", "r", "d"].map((field) => list(field, "語").join(" "));
  const found = [...lexemesOf({ contributor: contributor!, rest: rest!, description: description! })];
  const bytes = found.reduce(
    (sum, [lexeme, positions]) => sum + Buffer.byteLength(lexeme) + 2 * positions.length,
    0,
  );
  expect(found.length).toBeGreaterThan(1000);
  expect(bytes).toBeLessThan(1 << 20);
});

test("a document of 4,000 words of 64 letters keeps them all, whatever bytes a letter has", () => {
  for (const letter of ["a", "ж", "語"]) {
    const [rest, description] = ["r", "d"].map((field) =>
      Array.from({ length: 2000 }, (_, index) => `${field}${index}`.padEnd(64, letter)).join(" "),
    );
    expect([...lexemesOf({ rest: rest!, description: description! })]).toHaveLength(4000);
  }
});
