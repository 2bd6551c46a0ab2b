/**
 * Estimates how many books a search finds, from a random sample of the catalog. PostgreSQL's planner would need fresh
 * statistics of all words, and mistakes a rare word for a common one without them: then one search reads the catalog.
 */
import { MAX_EXACT_TOTAL, type NewestMatches, type SearchSelection } from "../../../catalog/search/search.ts";
import { type SearchId, searchIdRange } from "../../../catalog/search/search-id.ts";
import { SAMPLES } from "./index-rows.ts";
import type { NewestMonths } from "./newest-months.ts";
import {
  hasFacts,
  inRange,
  matches,
  type SearchPart,
  sourceOf,
  type Table,
  type Way,
} from "./search-parts.ts";
import { beginnings } from "./tsquery.ts";

/** Reading them takes 1 to 2 ms. */
const SAMPLE_BOOKS = 400;

/**
 * Measured on one core, with all pages in memory: a row in the order of ids, a row that the GIN index has found, the row
 * of the same book in the other table, and an id that is compared with those of the other table.
 */
const WALK_US: Readonly<Record<Table, number>> = { words: 3.5, facts: 0.6 };
const FETCH_US: Readonly<Record<Table, number>> = { words: 2.5, facts: 0.5 };
const OTHER_ROW_US: Readonly<Record<Table, number>> = { words: 4.5, facts: 3.5 };
const COMPARE_US = 0.3;
/** For a bitmap of both: an entry of the GIN index that has one of the words, and an entry of the index of ids. */
const WORD_ENTRY_US = 0.2;
const ID_ENTRY_US = 0.1;

export interface Estimate {
  /** The records of the catalog. */
  readonly records: number;
  /** The number of books in the sample; 0 when the catalog is too small for one. */
  readonly books: number;
  /** Those that have the facts of the search. */
  readonly withFacts: number;
  /** The parts, counted in the sample. The first one is the whole search. */
  readonly parts: readonly PartEstimate[];
  /** Those that have the beginnings of words, and those that have the other words. 0 unless there are both. */
  readonly beginnings: number;
  readonly others: number;
}

interface PartEstimate {
  /** The books of its range. */
  readonly inRange: number;
  /** Those of them that have its words. */
  readonly withWords: number;
  /** Those of them that also have its facts. */
  readonly matching: number;
}

export interface EstimateRow {
  readonly books: number;
  readonly with_facts: number;
  readonly counts: readonly number[];
  readonly beginnings: number;
  readonly others: number;
}

/**
 * Returns the query of an estimate. The first part is the whole search; most of the sampled books are not in it, and
 * need not be compared with the others. A catalog with fewer books than `minBooks` is not sampled.
 */
export function estimateQuery(
  { query }: SearchSelection,
  parts: readonly SearchPart[],
  minBooks: number,
): string {
  const whole = parts[0]!;
  const counts = parts.flatMap(({ tsquery, range }) => {
    const isMatching = tsquery === undefined || tsquery === whole.tsquery ? "true" : matches(tsquery);
    const hasWords = `has_words AND ${inRange(range)} AND ${isMatching}`;
    return [inRange(range), hasWords, `has_facts AND ${hasWords}`].map(
      (condition) => `count(*) FILTER (WHERE ${condition})`,
    );
  });
  const [begun, others] =
    whole.others === undefined ? ["false", "false"] : [matches(beginnings(query!)), matches(whole.others)];
  const hasWords = whole.tsquery === undefined ? "true" : matches(whole.tsquery);
  const [facts, reads] = whole.facts === undefined ? ["true"] : [hasFacts(whole.facts), "facts" as const];
  const all = { rank: 1, tsquery: undefined, facts: undefined, range: searchIdRange(undefined, undefined) };
  return `SELECT count(*)::integer AS books,
    count(*) FILTER (WHERE has_facts)::integer AS with_facts, ARRAY[${counts.join(", ")}]::integer[] AS counts,
    count(*) FILTER (WHERE ${begun})::integer AS beginnings, count(*) FILTER (WHERE ${others})::integer AS others
    FROM (
      SELECT id, words, ${hasWords} AS has_words, ${facts} AS has_facts
      FROM ${sourceOf(all, "words", { reads })} AND ${isSampled(SAMPLE_BOOKS, minBooks)} OFFSET 0
    ) AS sampled`;
}

/** Returns the condition of about so many random books, or of none in a catalog with fewer books than `minBooks`. */
export function isSampled(books: number, minBooks = 0): string {
  const part = `least(${SAMPLES}, ceil(${SAMPLES * books}.0 / greatest(1, records)))`;
  return `sample < (SELECT CASE WHEN records < ${minBooks} THEN 0 ELSE ${part} END::smallint FROM colophon.catalog)`;
}

export function estimateFromRow(row: EstimateRow, records: number): Estimate {
  const { books, with_facts: withFacts, counts, beginnings, others } = row;
  const parts = Array.from({ length: counts.length / 3 }, (_, index) => ({
    inRange: counts[3 * index]!,
    withWords: counts[3 * index + 1]!,
    matching: counts[3 * index + 2]!,
  }));
  return { records, books, withFacts, parts, beginnings, others };
}

/** Returns the estimate of a search of one part without facts, of which the newest books are the sample. */
export function estimateOfNewest({ books, matching, ...more }: NewestMatches, records: number): Estimate {
  const part = { inRange: books, withWords: matching, matching };
  return { records, books, withFacts: books, parts: [part, part], ...more };
}

/**
 * The index is read by the other words alone when so many times more books have the beginnings of words. GIN would read
 * all entries of a beginning. Instead, the books of the other words are read and compared: all of them, or those of the
 * newest months.
 */
const BEGINNINGS_PER_OTHER = { all: 10, months: 1 } as const;

/** Returns the part as the index is read for it in the least time: by all its words, or by the other words alone. */
export function indexedPart(
  { beginnings, others }: Estimate,
  part: SearchPart,
  readBooks: keyof typeof BEGINNINGS_PER_OTHER = "all",
): SearchPart {
  const isCommon = beginnings > BEGINNINGS_PER_OTHER[readBooks] * Math.max(1, others);
  return isCommon || part.others === undefined ? part : { ...part, others: undefined };
}

/** Returns the expected number of books of the whole search, rather too high than too low. */
export function expectedMatches(estimate: Estimate): number {
  return expected(estimate, estimate.parts[0]!.matching);
}

function expected({ records, books }: Estimate, sampled: number): number {
  return books === 0 ? records : Math.min(records, (records * (sampled + 1)) / books);
}

/** Returns the way that finds the books of a part by a GIN index in the least time. */
export function fastestWay(
  estimate: Estimate,
  index: number,
  { tsquery, others, facts }: SearchPart,
): { readonly way: Way; readonly us: number } {
  const words = expected(estimate, others === undefined ? estimate.parts[index]!.withWords : estimate.others);
  const withFacts = expected(estimate, estimate.withFacts);
  if (tsquery === undefined) return { way: "facts", us: withFacts * FETCH_US.facts };
  if (facts === undefined || estimate.books === 0) return { way: "words", us: words * FETCH_US.words };
  const ways = [
    { way: "words", us: words * (FETCH_US.words + OTHER_ROW_US.facts) },
    { way: "facts", us: withFacts * (FETCH_US.facts + OTHER_ROW_US.words) },
    { way: "both", us: words * (FETCH_US.words + COMPARE_US) + withFacts * (FETCH_US.facts + COMPARE_US) },
  ] as const;
  return ways.reduce((best, way) => (way.us < best.us ? way : best));
}

/** Returns the table that is read in the order of ids. Most books lack the facts, and their words are not read. */
export function walkedTable({ tsquery, facts }: SearchPart): Table {
  return tsquery !== undefined && facts === undefined ? "words" : "facts";
}

/**
 * Returns the newest months that probably have `limit` books of a part, and the time to find them there. Is undefined
 * when it is faster to read all its books.
 */
export function newestMonths(
  estimate: Estimate,
  index: number,
  part: SearchPart,
  limit: number,
  months: NewestMonths,
): { readonly last: SearchId; readonly us: number } | undefined {
  const { books, parts } = estimate;
  if (books === 0 || part.facts !== undefined || part.range.first > 0n) return undefined;
  const share = Math.max(parts[index]!.matching, 0.5) / books;
  // Chance may place the books further apart.
  const found = months.withBooks((2 * limit) / share);
  if (found === undefined || found.last >= part.range.last) return undefined;
  const [tsquery, sampled] =
    part.others === undefined ? [part.tsquery!, parts[index]!.matching] : [part.others, estimate.others];
  // Each word has at least as many entries as all of them have books.
  const words = tsquery.split(" & ").length;
  const entriesUs = expected(estimate, sampled) * words * WORD_ENTRY_US + found.books * ID_ENTRY_US;
  const us = entriesUs + found.books * (Math.max(sampled, 0.5) / books) * FETCH_US.words;
  return us < fastestWay(estimate, index, part).us ? { last: found.last, us } : undefined;
}

/**
 * Returns how many rows to read in the order of ids to find `limit` books of a part. Is undefined when another way takes
 * no longer: reading all its books by a GIN index, or what takes `otherUs`.
 */
export function rowsToWalk(
  estimate: Estimate,
  index: number,
  part: SearchPart,
  limit: number,
  otherUs = Number.POSITIVE_INFINITY,
): number | undefined {
  const { books, withFacts, parts } = estimate;
  if (books === 0) return undefined;
  const { inRange: sampled, matching } = parts[index]!;
  if (matching === 0) return undefined;
  const rows = (limit * sampled) / matching;
  const table = walkedTable(part);
  const readWords = table === "facts" && part.tsquery !== undefined ? withFacts / books : 0;
  const walkUs = rows * (WALK_US[table] + readWords * OTHER_ROW_US.words);
  if (walkUs > Math.min(otherUs, fastestWay(estimate, index, part).us)) return undefined;
  // Chance may place the books further apart.
  return Math.ceil(4 * rows) + 100;
}

/** Returns whether a search certainly finds more books than are counted. */
export function isCertainlyMore({ records, books, parts }: Estimate): boolean {
  return parts[0]!.matching >= certainMatches(MAX_EXACT_TOTAL, records, books);
}

/**
 * Returns how many matches in a random sample certainly mean more matches than a limit in the catalog. If they did not,
 * a sample with so many would have a probability of less than e^-40 (Chernoff bound).
 */
export function certainMatches(limit: number, records: number, books: number): number {
  const share = limit / records;
  for (let matches = Math.ceil(share * books); share < 1 && matches < books; matches++) {
    const sampled = Math.max(share, matches / books);
    const divergence =
      sampled * Math.log(sampled / share) + (1 - sampled) * Math.log((1 - sampled) / (1 - share));
    if (books * divergence > 40) return matches;
  }
  return share < 1 && -books * Math.log(share) > 40 ? books : Number.POSITIVE_INFINITY;
}
