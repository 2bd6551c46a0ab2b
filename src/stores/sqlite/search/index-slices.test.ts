import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { IndexSlices, SliceSize } from "./index-slices.ts";

const BOOKS = 3000;
/** Every third number is an id. */
const idOf = (book: number) => BigInt(3 * book);

const sizeFor = (terms: number) => new SliceSize(terms, false, false, () => performance.now());

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
    const ascending = [...slices.ascending({ first, last }, "a", sizeFor(terms))];
    const descending = [...slices.descending({ first, last }, "a", sizeFor(terms))].reverse();
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
    (terms) => slices.ascending({ first: 0n, last: idOf(BOOKS) }, "a", sizeFor(terms)).next().value!.books,
  );
  expect(sizes).toEqual([1250, 250, 250]);
});

test("the first slice has all books when the terms are rare, and 200,000 with the beginning of a word", () => {
  using db = openIndex();
  using slices = new IndexSlices(db);
  const rare = new SliceSize(10, true, true, () => 0);
  expect([...slices.ascending({ first: 0n, last: 9n }, "a", rare)]).toMatchObject([{ first: 0n, last: 9n }]);
  expect(new SliceSize(10, true, false, () => 0).cells * CELL_BOOKS).toBe(200_000);
});

const CELL_BOOKS = 250;

/** Returns the times of the slices of so many cells, where a statement takes a time to start and one for each cell. */
function slicesOf(cells: number, startMs: number, cellMs: number): readonly number[] {
  let nowMs = 0;
  const size = new SliceSize(1, false, false, () => nowMs);
  const times: number[] = [];
  for (let left = cells; left > 0; ) {
    const count = Math.min(Math.round(size.cells), left);
    const ms = startMs + count * cellMs;
    for (const _ of size.timed({ first: 0n, last: 0n, books: count * CELL_BOOKS })) nowMs += ms;
    times.push(ms);
    left -= count;
  }
  return times;
}

test("a long slice is not followed by a much longer one", () => {
  const [first, ...others] = slicesOf(800, 0, 1);
  expect(first).toBe(50);
  expect(Math.max(...others)).toBeLessThanOrEqual(50);
});

test("statements that take most of their time to start are few", () => {
  expect(slicesOf(4000, 15, 0.001).length).toBeLessThanOrEqual(4);
});

test("an expensive search takes little more time in slices than at once, and each slice is short", () => {
  const times = slicesOf(800, 6, 0.3);
  const atOnceMs = 6 + 800 * 0.3;
  expect(times.reduce((sum, ms) => sum + ms)).toBeLessThan(2 * atOnceMs);
  expect(Math.max(...times)).toBeLessThan(25);
});

test("slices stay large when each takes long, as on a busy machine", () => {
  expect(slicesOf(800, 100, 10).length).toBeLessThanOrEqual(800 / 25);
});
