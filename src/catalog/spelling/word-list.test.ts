import { expect, test } from "bun:test";
import fc from "fast-check";
import { WordList, WordRun } from "./word-list.ts";

/** The optimal string alignment distance, as it is defined. */
function distanceOf(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i, ...Array<number>(b.length).fill(0)]);
  for (let j = 0; j <= b.length; j++) rows[0]![j] = j;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        value = Math.min(value, rows[i - 2]![j - 2]! + 1);
      rows[i]![j] = value;
    }
  }
  return rows[a.length]![b.length]!;
}

function listOf(...runs: readonly (readonly string[])[]): WordList {
  const list = new WordList();
  for (const [index, words] of runs.entries()) {
    const run = new WordRun();
    run.add(words.toSorted());
    list.add(run, index + 1, "");
  }
  return list;
}

function near(list: WordList, word: string, maxDistance: number, isPrefix = false) {
  const search = list.near(word, maxDistance, isPrefix);
  for (;;) {
    const { done, value } = search.next();
    if (done) return value.toSorted((a, b) => (a.word < b.word ? -1 : 1));
  }
}

/** The distance of a word, or of its nearest beginning, to another. */
function expectedDistance(word: string, searched: string, isPrefix: boolean): number {
  if (!isPrefix) return distanceOf(word, searched);
  return Math.min(...Array.from(word, (_, at) => distanceOf(word.slice(0, at + 1), searched)));
}

test.each([
  ["near words", false],
  ["words with near beginnings", true],
])("%s are those within the distance, and not those at none; a list has its words", (_, isPrefix) => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "ж"), minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { maxLength: 60 }),
      word,
      fc.integer({ min: 1, max: 2 }),
      (words, searched, max) => {
        const expected = words
          .map((each) => ({ word: each, distance: expectedDistance(each, searched, isPrefix) }))
          .filter(({ distance }) => distance > 0 && distance <= max)
          .sort((a, b) => (a.word < b.word ? -1 : 1));
        const half = words.length >> 1;
        const list = listOf(words.slice(0, half), words.slice(half));
        expect(near(list, searched, max, isPrefix)).toEqual(expected);
        for (const each of [searched, ...words]) expect(list.has(each)).toBe(words.includes(each));
      },
    ),
    { numRuns: 500 },
  );
});

test("a list grows beyond its first buffers, and is read again when it has many short runs", () => {
  const words = Array.from({ length: 5000 }, (_, index) => `palabra${index}`);
  const list = listOf(words, ["nueva"]);
  expect(near(list, "palabra499", 1)).toHaveLength(
    words.filter((each) => distanceOf(each, "palabra499") === 1).length,
  );
  expect(list.isFragmented).toBe(false);
  for (let id = 3; id < 12; id++) {
    const run = new WordRun();
    run.add([`otra${id}`]);
    list.add(run, id, "");
  }
  expect(list.isFragmented).toBe(true);
});

test("a search pauses by what it costs: after fewer words when they are long and begin like the searched one", () => {
  const pauses = (words: readonly string[], searched: string) => {
    const search = listOf(words).near(searched, 2);
    let count = 0;
    while (!search.next().done) count++;
    return count;
  };
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  const short = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
  const beginning = "abcdefghij".repeat(5);
  const long = short.map((word) => beginning + word);
  expect(pauses(short, "zz")).toBeLessThan(20);
  expect(pauses(long, `${beginning}zz`)).toBeGreaterThan(30);
});
