/** Answers the questions of corrections from a catalog. The words are in memory, and searched in short steps. */
import type { SearchQuery } from "../../../catalog/search/query.ts";
import { correct } from "../../../catalog/spelling/correction.ts";
import {
  type AfterWord,
  MAX_READ_WORDS,
  type Question,
  type ReadWords,
} from "../../../catalog/spelling/questions.ts";
import { WordList } from "../../../catalog/spelling/word-list.ts";
import { isSampled } from "./estimate.ts";
import { literal, matches, sourceOf, wholeOf } from "./search-parts.ts";
import { BY_INDEX } from "./search-queries.ts";
import type { SearchSession } from "./search-session.ts";

/** The queries of one statement. */
const MAX_QUERIES = 50;
/** They have the common words. */
const SAMPLE_BOOKS = 200;

export class Corrector {
  readonly #words = new WordList();

  async correct(session: SearchSession, query: SearchQuery): Promise<SearchQuery | undefined> {
    const asking = correct(query, this.#words);
    for (let step = asking.next(); ; ) {
      if (step.done) return step.value;
      step = asking.next(await answer(session, step.value));
    }
  }
}

async function answer(
  session: SearchSession,
  question: Question,
): Promise<readonly number[] | ReadWords | undefined> {
  if (question.kind === "words") return await readWords(session, question.after);
  if (question.kind === "count") return await countBooks(session, question.queries, question.limit);
  const { promise, resolve } = Promise.withResolvers<void>();
  setImmediate(resolve);
  await promise;
  return undefined;
}

async function countBooks(
  session: SearchSession,
  queries: readonly SearchQuery[],
  limit: number,
): Promise<readonly number[]> {
  const counts: number[] = [];
  for (let start = 0; start < queries.length; start += MAX_QUERIES) {
    const parts = queries.slice(start, start + MAX_QUERIES).map((query) => {
      const whole = { ...wholeOf({ query, filters: {} }), others: undefined };
      const counted = `(SELECT count(*) FROM (SELECT FROM ${sourceOf(whole, "words")} LIMIT ${limit}) AS found)`;
      if (limit > 1 || whole.tsquery === undefined) return counted;
      // A GIN index lists all books with a common word first, however few are needed.
      return `coalesce((SELECT 1 FROM sampled WHERE ${matches(whole.tsquery)} LIMIT 1), ${counted})`;
    });
    const sampled = `sampled AS MATERIALIZED (SELECT words FROM colophon.search WHERE ${isSampled(SAMPLE_BOOKS)})`;
    const query = `WITH ${sampled} SELECT ARRAY[${parts.join(", ")}]::integer[] AS counts`;
    const [row] = await session.query<{ readonly counts: readonly number[] }>(BY_INDEX, query);
    counts.push(...row!.counts);
  }
  return counts;
}

async function readWords(session: SearchSession, after: AfterWord): Promise<ReadWords> {
  const [order, place] = "id" in after ? ["id", after.id] : ["word", literal(after.word)];
  const query = `SELECT coalesce(string_agg(word, ' ' ORDER BY ${order}), '') AS words,
      coalesce(max(id), 0) AS "lastId", (SELECT coalesce(max(id), 0) FROM colophon.word) AS "maxId"
    FROM (SELECT id, word FROM colophon.word WHERE ${order} > ${place}
      ORDER BY ${order} LIMIT ${MAX_READ_WORDS}) AS following`;
  return (await session.query<ReadWords>([], query))[0]!;
}
