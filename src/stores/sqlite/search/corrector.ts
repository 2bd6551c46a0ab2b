/** Answers the questions of corrections from a catalog, in statements that are short. */
import type { Database } from "bun:sqlite";
import type { SearchQuery } from "../../../catalog/search/query.ts";
import type { Correction } from "../../../catalog/search/search.ts";
import { MAX_SEARCH_ID } from "../../../catalog/search/search-id.ts";
import { correct } from "../../../catalog/spelling/correction.ts";
import {
  type AfterWord,
  MAX_READ_WORDS,
  type Question,
  type ReadWords,
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
    if (question.kind === "words") return this.#readWords(question.after);
    if (question.kind === "pause") return undefined;
    const counts: number[] = [];
    for (const query of question.queries) {
      counts.push(this.#books.count(matchOf({ query, filters: {} }), ALL, question.limit));
      yield;
    }
    return counts;
  }

  #readWords(after: AfterWord): ReadWords {
    const order = "id" in after ? "id" : "word";
    using statement = this.#db.prepare<ReadWords, [string | number]>(
      `SELECT coalesce(group_concat(word, ' '), '') AS words, coalesce(max(id), 0) AS lastId,
         (SELECT coalesce(max(id), 0) FROM word) AS maxId
       FROM (SELECT id, word FROM word WHERE ${order} > ? ORDER BY ${order} LIMIT ${MAX_READ_WORDS})`,
    );
    return statement.get("id" in after ? after.id : after.word)!;
  }
}
