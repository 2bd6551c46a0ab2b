import { expect, test } from "bun:test";
import { MAX_READ_WORDS, type ReadWords, readWords, type WordStart } from "./questions.ts";
import { WordList } from "./word-list.ts";

interface Row {
  readonly id: number;
  readonly word: string;
}

/** Returns the rows of words, whose ids are 1, 2 and so on. */
const rowsOf = (...words: readonly string[]): Row[] => words.map((word, index) => ({ id: index + 1, word }));

/** What an engine answers. */
function answer(rows: readonly Row[], start: WordStart): ReadWords {
  const isFollowing = (row: Row) => ("from" in start ? row.id >= start.from : row.word > start.after);
  const read = rows
    .filter(isFollowing)
    .sort((a, b) => ("from" in start ? a.id - b.id : a.word < b.word ? -1 : 1))
    .slice(0, MAX_READ_WORDS);
  const newest = rows.at(-1) ?? { id: 0, word: "" };
  return {
    words: read.map(({ word }) => word).join(" "),
    lastId: Math.max(0, ...read.map(({ id }) => id)),
    maxId: newest.id,
    maxWord: newest.word,
  };
}

/** Reads the words of a catalog, and returns the number of questions. */
function read(words: WordList, rows: readonly Row[]): number {
  const asking = readWords(words);
  let questions = 0;
  for (let step = asking.next(); !step.done; questions++) {
    if (step.value.kind !== "words") throw new Error("Only words are read");
    step = asking.next(answer(rows, step.value.start));
  }
  return questions;
}

const LETTERS = [..."abcdefghij"];

test("words that imports add are read alone", () => {
  const words = new WordList();
  read(words, rowsOf(...LETTERS));
  expect(read(words, rowsOf(...LETTERS))).toBe(1);
  expect(read(words, rowsOf(...LETTERS, "sol", "luna"))).toBe(2);
  expect(["a", "sol", "luna"].map((word) => words.has(word))).toEqual([true, true, true]);
});

test("all words are read again from a restored catalog, also when others were added to it", () => {
  for (const added of [[], ["soledad"], ["soledad", "quijote"], ["soledad", "quijote", "tempest"]]) {
    const words = new WordList();
    read(words, rowsOf(...LETTERS, "lost", "gone"));
    read(words, rowsOf(...LETTERS, ...added));
    expect(["a", "lost", "gone", ...added].filter((word) => words.has(word))).toEqual(["a", ...added]);
  }
});
