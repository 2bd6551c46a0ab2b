import { expect, test } from "bun:test";
import { searchDocumentOfEntry } from "../../../catalog/entry.ts";
import { searchBook } from "../../testing/search-books.ts";
import { lexemesOf } from "./lexemes.ts";

const NO_TEXTS = { description: "", title: "", contributor: "", label: "", rest: "", filter: "", facts: "" };

const lexemes = (fields: Parameters<typeof searchBook>[1]) =>
  lexemesOf(searchDocumentOfEntry(searchBook(1, fields)));

test("words of titles and names have lexemes of their own, and so have the beginnings of titles", () => {
  const found = [...lexemes({ title: "Uno dos tres cuatro cinco", contributors: ["Ana Uno"] }).keys()];
  expect(found).toEqual(
    expect.arrayContaining([".uno", ".cinco", ",ana", ",uno", "^uno", "^uno dos tres cuatro"]),
  );
  expect(found.filter((lexeme) => lexeme.startsWith("="))).toEqual([]);
  expect([...lexemes({ title: "Uno dos" }).keys()]).toContain("=uno dos");
});

test("a title that was cut is not the whole title", () => {
  const document = { ...NO_TEXTS, title: "« uno dos » « tres" };
  expect([...lexemesOf(document).keys()].filter((lexeme) => lexeme.startsWith("="))).toEqual(["=uno dos"]);
});

test("a word has at most 255 positions, in ascending order and below 2^14", () => {
  const document = { ...NO_TEXTS, description: "sol ".repeat(2000).trim() };
  const positions = lexemesOf(document).get("sol")!;
  expect(positions).toHaveLength(255);
  expect([...positions]).toEqual(positions.toSorted((a, b) => a - b));
  expect(positions.at(-1)).toBeLessThan(2 ** 14);
});

test("a document of four times 2,000 words of 64 letters stays below the limit of a tsvector", () => {
  const words = (field: string) =>
    Array.from({ length: 2000 }, (_, index) => `${field}${index}`.padEnd(64, "語")).join(" ");
  const document = { ...NO_TEXTS, contributor: words("c"), rest: words("r"), description: words("d") };
  let bytes = 0;
  for (const [lexeme, positions] of lexemesOf(document))
    bytes += Buffer.byteLength(lexeme) + 2 * positions.length;
  expect(bytes).toBeLessThan(1 << 20);
});
