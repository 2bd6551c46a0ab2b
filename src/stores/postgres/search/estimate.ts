/**
 * Estimates how many books a search finds, from a random sample of the catalog. PostgreSQL's planner would need fresh
 * statistics of all words, and mistakes a rare word for a common one without them: then one search reads the catalog.
 */
import { MAX_EXACT_TOTAL } from "../../../catalog/search/search.ts";
import { searchIdRange } from "../../../catalog/search/search-id.ts";
import { SAMPLES } from "./index-rows.ts";
import {
  hasFacts,
  inRange,
  matches,
  type SearchPart,
  sourceOf,
  type Table,
  type Way,
} from "./search-parts.ts";

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

export interface Estimate {
  /** The records of the catalog. */
  readonly records: number;
  /** The number of books in the sample; 0 when the catalog is too small for one. */
  readonly books: number;
  /** Those that have the facts of the search. */
  readonly withFacts: number;
  /** The parts, counted in the sample. The first one is the whole search. */
  readonly parts: readonly PartEstimate[];
}

interface PartEstimate {
  /** The books of its range. */
  readonly inRange: number;
  /** Those of them that have its words. */
  readonly withWords: number;
  /** Those of them that also have its facts. */
  readonly matching: number;
}

interface EstimateRow {
  readonly records: string;
  readonly books: number;
  readonly with_facts: number;
  readonly counts: readonly number[];
}

/**
 * Returns the query of an estimate. The first part is the whole search; most of the sampled books are not in it, and
 * need not be compared with the others. A catalog with fewer books than `minBooks` is not sampled.
 */
export function estimateQuery(parts: readonly SearchPart[], minBooks: number): string {
  const whole = parts[0]!;
  const counts = parts.flatMap(({ tsquery, range }) => {
    const isMatching = tsquery === undefined || tsquery === whole.tsquery ? "true" : matches(tsquery);
    const hasWords = `has_words AND ${inRange(range)} AND ${isMatching}`;
    return [inRange(range), hasWords, `has_facts AND ${hasWords}`].map(
      (condition) => `count(*) FILTER (WHERE ${condition})`,
    );
  });
  const hasWords = whole.tsquery === undefined ? "true" : matches(whole.tsquery);
  const [facts, reads] = whole.facts === undefined ? ["true"] : [hasFacts(whole.facts), "facts" as const];
  const all = { rank: 1, tsquery: undefined, facts: undefined, range: searchIdRange(undefined, undefined) };
  return `SELECT (SELECT records FROM colophon.catalog)::text AS records, count(*)::integer AS books,
    count(*) FILTER (WHERE has_facts)::integer AS with_facts, ARRAY[${counts.join(", ")}]::integer[] AS counts
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

export function estimateFromRow({ records, books, with_facts, counts }: EstimateRow): Estimate {
  const parts = Array.from({ length: counts.length / 3 }, (_, index) => ({
    inRange: counts[3 * index]!,
    withWords: counts[3 * index + 1]!,
    matching: counts[3 * index + 2]!,
  }));
  return { records: Number(records), books, withFacts: with_facts, parts };
}

/** Returns the estimate of a search that finds few books. An estimate from a sample would take longer than the search. */
export function estimateOfFew(parts: readonly SearchPart[]): Estimate {
  const few = { inRange: 0, withWords: 0, matching: 0 };
  return { records: 0, books: 0, withFacts: 0, parts: [few, ...parts.map(() => few)] };
}

/** Returns the expected number of books of a part, rather too high than too low. */
export function expectedMatches(estimate: Estimate, index: number): number {
  return expected(estimate, estimate.parts[index]!.matching);
}

function expected({ records, books }: Estimate, sampled: number): number {
  return books === 0 ? records : Math.min(records, (records * (sampled + 1)) / books);
}

/** Returns the way that finds the books of a part by a GIN index in the least time. */
export function fastestWay(
  estimate: Estimate,
  index: number,
  { tsquery, facts }: SearchPart,
): { readonly way: Way; readonly us: number } {
  const words = expected(estimate, estimate.parts[index]!.withWords);
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
 * Returns how many rows to read in the order of ids to find `limit` books of a part. Is undefined when it is faster to
 * read all its books by a GIN index, and to sort them.
 */
export function rowsToWalk(
  estimate: Estimate,
  index: number,
  part: SearchPart,
  limit: number,
): number | undefined {
  const { books, withFacts, parts } = estimate;
  if (books === 0) return undefined;
  const { inRange: sampled, matching } = parts[index]!;
  if (matching === 0) return undefined;
  const rows = (limit * sampled) / matching;
  const table = walkedTable(part);
  const readWords = table === "facts" && part.tsquery !== undefined ? withFacts / books : 0;
  const walkUs = rows * (WALK_US[table] + readWords * OTHER_ROW_US.words);
  if (walkUs > fastestWay(estimate, index, part).us) return undefined;
  // Chance may place the books further apart.
  return Math.ceil(4 * rows) + 100;
}

/**
 * Returns whether a search certainly finds more books than are counted. If it did not, a random sample with so many
 * matches would have a probability of less than e^-40 (Chernoff bound).
 */
export function isCertainlyMore({ records, books, parts }: Estimate, part: number): boolean {
  if (books === 0 || records <= MAX_EXACT_TOTAL) return false;
  const limit = MAX_EXACT_TOTAL / records;
  const share = parts[part]!.matching / books;
  if (share <= limit) return false;
  const divergence =
    share * Math.log(share / limit) + (share < 1 ? (1 - share) * Math.log((1 - share) / (1 - limit)) : 0);
  return books * divergence > 40;
}
