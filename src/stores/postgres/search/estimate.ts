/**
 * Estimates how many books a search finds, from a random sample of the catalog. PostgreSQL's planner would need fresh
 * statistics of all words, and mistakes a rare word for a common one without them: then one search reads the catalog.
 */
import { MAX_EXACT_TOTAL } from "../../../catalog/search/search.ts";
import { SAMPLES } from "./index-rows.ts";
import { inRange, matches, type SearchPart } from "./search-parts.ts";

/** Reading them takes 1 to 2 ms. */
const SAMPLE_BOOKS = 400;

/** Measured on one core, with all pages in memory: a row in the order of ids, and a row that the GIN index has found. */
const WALK_US = 3.5;
const FETCH_US = 2.5;

export interface Estimate {
  /** The records of the catalog. */
  readonly records: number;
  /** The number of books in the sample; 0 when the catalog is too small for one. */
  readonly books: number;
  /** For each part: the sampled books of its range, and those that match. The first part is the whole search. */
  readonly parts: readonly { readonly inRange: number; readonly matching: number }[];
}

interface EstimateRow {
  readonly records: string;
  readonly books: number;
  readonly counts: readonly number[];
}

/**
 * Returns the query of an estimate. The first part is the whole search; most of the sampled books are not in it, and
 * need not be compared with the others. A catalog with fewer books than `minBooks` is not sampled.
 */
export function estimateQuery(parts: readonly SearchPart[], minBooks: number): string {
  const [whole] = parts;
  const counts = parts.flatMap(({ tsquery, range }) => {
    const isMatching = tsquery === undefined || tsquery === whole!.tsquery ? "true" : matches(tsquery);
    return [inRange(range), `is_found AND ${inRange(range)} AND ${isMatching}`].map(
      (condition) => `count(*) FILTER (WHERE ${condition})`,
    );
  });
  const samples = `SELECT CASE WHEN records < ${minBooks} THEN 0
    ELSE least(${SAMPLES}, ceil(${SAMPLES * SAMPLE_BOOKS}.0 / greatest(1, records))) END::smallint FROM colophon.catalog`;
  const isFound = whole!.tsquery === undefined ? "true" : matches(whole!.tsquery);
  return `SELECT (SELECT records FROM colophon.catalog)::text AS records, count(*)::integer AS books,
    ARRAY[${counts.join(", ")}]::integer[] AS counts
    FROM (
      SELECT id, words, ${isFound} AS is_found FROM colophon.search WHERE sample < (${samples}) OFFSET 0
    ) AS sampled`;
}

export function estimateFromRow({ records, books, counts }: EstimateRow): Estimate {
  const parts = Array.from({ length: counts.length / 2 }, (_, index) => ({
    inRange: counts[2 * index]!,
    matching: counts[2 * index + 1]!,
  }));
  return { records: Number(records), books, parts };
}

/** Returns the expected number of books of a part, rather too high than too low. */
export function expectedMatches({ records, books, parts }: Estimate, part: number): number {
  return books === 0 ? records : Math.min(records, (records * (parts[part]!.matching + 1)) / books);
}

/**
 * Returns how many rows to read in the order of ids to find `limit` books of a part. Is undefined when it is faster to
 * read all its books by the GIN index, and to sort them.
 */
export function rowsToWalk(estimate: Estimate, part: number, limit: number): number | undefined {
  const { books, parts } = estimate;
  if (books === 0) return undefined;
  const { inRange: sampled, matching } = parts[part]!;
  if (matching === 0) return undefined;
  const rows = (limit * sampled) / matching;
  if (rows * WALK_US > expectedMatches(estimate, part) * FETCH_US) return undefined;
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
