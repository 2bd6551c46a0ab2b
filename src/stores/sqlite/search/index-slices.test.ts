import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { IndexSlices, SliceSize } from "./index-slices.ts";

const BOOKS = 3000;
/** Every third number is an id. */
const idOf = (book: number) => BigInt(3 * book);

function openIndex(): Database {
  const db = new Database(":memory:", { safeIntegers: true });
  db.run("CREATE TABLE book_search (search_id INTEGER PRIMARY KEY)");
  using insert = db.prepare("INSERT INTO book_search VALUES (?)");
  for (let book = 0; book < BOOKS; book++) insert.run(idOf(book));
  return db;
}

test.each([
  ["all books", 0n, idOf(BOOKS)],
  ["some books", idOf(700) + 1n, idOf(2100) - 1n],
  ["one book", idOf(5), idOf(5)],
  ["no book", idOf(9), idOf(8)],
])("slices of %s cover their range without gaps, in both orders", (_, first, last) => {
  using db = openIndex();
  using slices = new IndexSlices(db);
  for (const terms of [0, 1, 30]) {
    const ascending = [...slices.ascending({ first, last }, "a", new SliceSize(terms))];
    const descending = [...slices.descending({ first, last }, "a", new SliceSize(terms))].reverse();
    for (const parts of [ascending, descending]) {
      expect([parts[0]?.first, parts.at(-1)?.last]).toEqual(
        first > last ? [undefined, undefined] : [first, last],
      );
      for (const [index, part] of parts.entries())
        if (index > 0) expect(part.first).toBe(parts[index - 1]!.last + 1n);
    }
  }
});

test("the first slice is small when each book is compared with many terms", () => {
  using db = openIndex();
  using slices = new IndexSlices(db);
  const sizes = [10, 50, 500].map(
    (terms) =>
      slices.ascending({ first: 0n, last: idOf(BOOKS) }, "a", new SliceSize(terms)).next().value!.books,
  );
  expect(sizes).toEqual([1250, 250, 250]);
});
