import { expect, test } from "bun:test";
import { BOOK_NEEDS } from "../../../onix/completeness/needs.ts";
import { levelOf } from "../../styles/scale.ts";
import { shareText } from "../shared/format/quantities.ts";
import {
  completenessOf,
  gapsOf,
  nextSorting,
  percentOf,
  rowsAsCsv,
  sortedRows,
  sortingOf,
  type WorkRow,
  weakBooks,
  weakBooksAsCsv,
} from "./work-rows.ts";

const row = (name: string, books: number, cover: number, price = books): WorkRow => ({
  slug: name.toLowerCase(),
  name,
  books,
  has: { ...(Object.fromEntries(BOOK_NEEDS.map((need) => [need, books])) as WorkRow["has"]), cover, price },
});
const ROWS = [row("Sol", 10, 10), row("Luna", 100, 50), row("Mar", 2, 1), row("=Río", 4, 0, 0)];
const names = (text: string | null) => sortedRows(ROWS, sortingOf(text)).map(({ name }) => name);

test("the worst imprints come first, of equal ones those with the most gaps", () => {
  expect(names(null)).toEqual(["=Río", "Luna", "Mar", "Sol"]);
  expect(names("nothing")).toEqual(names(null));
  expect(names("-books")).toEqual(["Luna", "Sol", "=Río", "Mar"]);
  expect(names("-gaps")).toEqual(["Luna", "=Río", "Mar", "Sol"]);
  expect(names("cover")).toEqual(["=Río", "Luna", "Mar", "Sol"]);
  expect(names("-cover")).toEqual(["Sol", "Luna", "Mar", "=Río"]);
  expect(names("imprint")).toEqual(["=Río", "Luna", "Mar", "Sol"]);
});

test("a click sorts by the most work first, the next one the other way round", () => {
  expect(nextSorting("books", sortingOf(null))).toBe("-books");
  expect(nextSorting("books", sortingOf("-books"))).toBe("books");
  expect(nextSorting("complete", sortingOf(null))).toBe("-complete");
  expect(nextSorting("cover", sortingOf("-cover"))).toBe("cover");
});

test("counts gaps, also of no books", () => {
  expect([gapsOf(ROWS[3]!), completenessOf(ROWS[3]!)]).toEqual([8, 0.8]);
  expect([gapsOf(row("", 0, 0)), completenessOf(row("", 0, 0))]).toEqual([0, 1]);
});

test("two of ten values are 20 %, which is written rounded down", () => {
  const has = Object.fromEntries(BOOK_NEEDS.map((need, at) => [need, at < 2 ? 1 : 0])) as WorkRow["has"];
  expect(shareText(completenessOf({ books: 1, has }), "eng")).toBe("20.0%");
});

test("CSV has a line for each imprint, and formulas are harmless", () => {
  const [head, first] = rowsAsCsv([ROWS[3]!]).split("\r\n");
  expect(head).toBe(
    "\ufeffslug,imprint,books,gaps,title,contributor,form,subject,description,cover,price,availability,date,audience",
  );
  expect(first).toBe("'=río,'=Río,4,8,4,4,4,4,4,0,0,4,4,4");
});

test("the CSV of an imprint has a line for each weak book, the weakest first", () => {
  const book = (isbn: string) => ({ isbn, title: "Título", published: null });
  const books = weakBooks(
    new Map([
      ["cover", [book("1"), book("2")]],
      ["price", [book("2")]],
    ]),
  );
  expect(books.map(({ isbn, lacks }) => [isbn, ...lacks])).toEqual([
    ["2", "cover", "price"],
    ["1", "cover"],
  ]);
  expect(weakBooksAsCsv(books).split("\r\n")[1]).toBe("2,Título,,2,,,,,,missing,missing,,,");
});

test.each([
  [10, 10, 0, 100],
  [999_999, 1_000_000, 1, 99],
  [95, 100, 1, 95],
  [94, 100, 2, 94],
  [80, 100, 2, 80],
  [79, 100, 3, 79],
  [50, 100, 3, 50],
  [49, 100, 4, 49],
  [1, 1_000_000, 4, 1],
  [0, 10, 4, 0],
  [0, 0, 0, 100],
])("%d of %d books are level %d and %d percent", (has, books, level, percent) => {
  expect([levelOf(has, books), percentOf(has, books)]).toEqual([level, percent]);
});
