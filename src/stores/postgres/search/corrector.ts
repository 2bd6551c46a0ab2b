/** Answers the questions of corrections from a catalog. The words are in memory, and searched in short steps. */
import type { SearchQuery, SearchTerm } from "../../../catalog/search/query.ts";
import { correct } from "../../../catalog/spelling/correction.ts";
import {
  MAX_READ_WORDS,
  type Question,
  type ReadWords,
  type WordStart,
} from "../../../catalog/spelling/questions.ts";
import { WordList } from "../../../catalog/spelling/word-list.ts";
import { certainMatches, isSampled } from "./estimate.ts";
import { literal, matches, type SearchPart, sourceOf, wholeOf } from "./search-parts.ts";
import { BY_INDEX } from "./search-queries.ts";
import type { SearchSession } from "./search-session.ts";
import { anywhere, withoutBeginnings } from "./tsquery.ts";

/** The queries of one statement. */
const MAX_QUERIES = 50;
/** So many books are sampled to find common words. */
const SAMPLE_BOOKS = 200;
/** A lexeme is common when one in so many sampled books has it. */
const BOOKS_PER_COMMON_LEXEME = 100;
const SAMPLED = `sampled AS MATERIALIZED (SELECT words FROM colophon.search WHERE ${isSampled(SAMPLE_BOOKS)})`;
const COMMON = `WITH ${SAMPLED}, books AS (SELECT count(*) AS sampled FROM sampled)
  SELECT sampled::integer AS books, ARRAY(
    SELECT lexeme FROM sampled, unnest(words) GROUP BY lexeme HAVING count(*) * ${BOOKS_PER_COMMON_LEXEME} >= sampled
  ) AS lexemes FROM books`;

interface CommonRow {
  /** The number of sampled books. */
  readonly books: number;
  readonly lexemes: readonly string[];
}

/** The common lexemes of a catalog with so many records, and the number of books that were sampled for them. */
export interface CommonWords {
  readonly records: number;
  readonly books: number;
  readonly lexemes: ReadonlySet<string>;
}

export async function readCommonWords(session: SearchSession, records: number): Promise<CommonWords> {
  const [row] = await session.query<CommonRow>([], COMMON);
  return { records, books: row!.books, lexemes: new Set(row!.lexemes) };
}

export class Corrector {
  readonly #words = new WordList();

  async correct(
    session: SearchSession,
    query: SearchQuery,
    commonWords: () => Promise<CommonWords>,
  ): Promise<SearchQuery | undefined> {
    const asking = correct(query, this.#words);
    for (let step = asking.next(); ; ) {
      if (step.done) return step.value;
      step = asking.next(await answer(session, step.value, commonWords));
    }
  }
}

async function answer(
  session: SearchSession,
  question: Question,
  commonWords: () => Promise<CommonWords>,
): Promise<readonly number[] | ReadWords | undefined> {
  if (question.kind === "words") return await readWords(session, question.start);
  if (question.kind === "count")
    return await countBooks(session, question.queries, question.limit, await commonWords());
  const { promise, resolve } = Promise.withResolvers<void>();
  setImmediate(resolve);
  await promise;
  return undefined;
}

async function countBooks(
  session: SearchSession,
  queries: readonly SearchQuery[],
  limit: number,
  common: CommonWords,
): Promise<readonly number[]> {
  const counts: number[] = [];
  const certain = limit === 1 ? 1 : certainMatches(limit, common.records, common.books);
  for (let start = 0; start < queries.length; start += MAX_QUERIES) {
    const parts = queries.slice(start, start + MAX_QUERIES).map((query) => {
      const whole = partOf(query, common);
      const counted = `(SELECT count(*) FROM (SELECT FROM ${sourceOf(whole, "words")} LIMIT ${limit}) AS found)`;
      const { tsquery } = whole;
      if (tsquery === undefined || !Number.isFinite(certain) || !mayBeCommon(tsquery, common)) return counted;
      // A GIN index lists all books with a common word first, however few are needed.
      const sampled = `SELECT FROM sampled WHERE ${matches(tsquery)} LIMIT ${certain}`;
      return `coalesce((SELECT ${limit} FROM (${sampled}) AS first HAVING count(*) = ${certain}), ${counted})`;
    });
    const query = `WITH ${SAMPLED} SELECT ARRAY[${parts.join(", ")}]::integer[] AS counts`;
    const [row] = await session.query<{ readonly counts: readonly number[] }>(BY_INDEX, query);
    counts.push(...row!.counts);
  }
  return counts;
}

/** The index is read without common beginnings of words, when the other words are rare. */
function partOf(query: SearchQuery, common: CommonWords): SearchPart {
  const selection = { query, filters: {} };
  const isCommon = (term: SearchTerm) => mayBeCommon(anywhere(term), common);
  const others = withoutBeginnings(selection, 5, isCommon);
  const isRare = others !== undefined && !mayBeCommon(others, common);
  return { ...wholeOf(selection), others: isRare ? others : undefined };
}

/** False when each book that matches has a lexeme that is not common. */
function mayBeCommon(tsquery: string, { lexemes }: CommonWords): boolean {
  const isCommon = (lexeme: string, isBeginning: boolean) =>
    isBeginning ? lexemes.values().some((each) => each.startsWith(lexeme)) : lexemes.has(lexeme);
  return tsquery
    .split(" & ")
    .every(
      (part) =>
        part.includes("!") ||
        part
          .matchAll(/'([^']*)'(:\*)?/g)
          .some(([, lexeme, beginning]) => isCommon(lexeme!, beginning !== undefined)),
    );
}

async function readWords(session: SearchSession, start: WordStart): Promise<ReadWords> {
  const [order, condition] =
    "from" in start ? ["id", `id >= ${start.from}`] : ["word", `word > ${literal(start.after)}`];
  const query = `SELECT coalesce(string_agg(word, ' ' ORDER BY ${order}), '') AS words,
      coalesce(max(id), 0) AS "lastId", (SELECT coalesce(max(id), 0) FROM colophon.word) AS "maxId",
      coalesce((SELECT word FROM colophon.word ORDER BY id DESC LIMIT 1), '') AS "maxWord"
    FROM (SELECT id, word FROM colophon.word WHERE ${condition}
      ORDER BY ${order} LIMIT ${MAX_READ_WORDS}) AS following`;
  return (await session.query<ReadWords>([], query))[0]!;
}
