/** Answers the questions of corrections from a catalog, in statements that are short. */
import type { Database } from "bun:sqlite";
import type { SearchQuery } from "../../../catalog/search/query.ts";
import type { Correction } from "../../../catalog/search/search.ts";
import { MAX_SEARCH_ID } from "../../../catalog/search/search-id.ts";
import { correct } from "../../../catalog/spelling/correction.ts";
import {
  MAX_READ_WORDS,
  type Question,
  type ReadWords,
  type WordStart,
} from "../../../catalog/spelling/questions.ts";
import { WordList } from "../../../catalog/spelling/word-list.ts";
import { FoundBooks } from "./found-books.ts";
import type { IndexSlice } from "./index-slices.ts";
import { matchOf } from "./match-expression.ts";

const ALL: IndexSlice = { first: 0n, last: MAX_SEARCH_ID, books: Number.MAX_SAFE_INTEGER };

export class Corrector {
  readonly #db: Database;
  readonly #books: FoundBooks;
  readonly #words = new WordList();

  constructor(db: Database) {
    this.#db = db;
    this.#books = new FoundBooks(db);
  }

  /** Yields between two statements. */
  *correct(query: SearchQuery, revision: string): Generator<void, Correction> {
    const asking = correct(query, this.#words);
    for (let step = asking.next(); ; ) {
      if (step.done) return { revision, query: step.value };
      step = asking.next(yield* this.#answer(step.value));
    }
  }

  *#answer(question: Question): Generator<void, readonly number[] | ReadWords | undefined> {
    yield;
    if (question.kind === "words") return this.#readWords(question.start);
    if (question.kind === "pause") return undefined;
    const counts: number[] = [];
    for (const query of question.queries) {
      counts.push(this.#books.count(matchOf({ query, filters: {} }), ALL, question.limit));
      yield;
    }
    return counts;
  }

  #readWords(start: WordStart): ReadWords {
    const [order, comparison] = "from" in start ? ["id", ">="] : ["word", ">"];
    using statement = this.#db.prepare<ReadWords, [string | number]>(
      `SELECT coalesce(group_concat(word, ' '), '') AS words, coalesce(max(id), 0) AS lastId,
         (SELECT coalesce(max(id), 0) FROM word) AS maxId,
         coalesce((SELECT word FROM word ORDER BY id DESC LIMIT 1), '') AS maxWord
       FROM (SELECT id, word FROM word WHERE ${order} ${comparison} ? ORDER BY ${order} LIMIT ${MAX_READ_WORDS})`,
    );
    return statement.get("from" in start ? start.from : start.after)!;
  }
}
