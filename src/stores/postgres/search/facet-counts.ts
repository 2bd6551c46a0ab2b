/** Counts the books of a search by their properties. */
import { FACETS, type FacetName } from "../../../catalog/search/properties.ts";
import {
  type Facet,
  type Facets,
  type FacetValue,
  MAX_FACET_BOOKS,
  MAX_FACET_VALUES,
} from "../../../catalog/search/search.ts";
import { FIRST_UNDATED_ID, yearInSql } from "../../../catalog/search/search-id.ts";
import { BOOK_NEEDS } from "../../../onix/completeness/book-needs.ts";
import { type Estimate, fastestWay, rowsToWalk } from "./estimate.ts";
import { isWholeRange, mergedSourceOf, type SearchPart, sourceOf } from "./search-parts.ts";
import { BY_INDEX, MERGED } from "./search-queries.ts";
import type { SearchSession } from "./search-session.ts";

interface FacetSource {
  /** The column that is read. The id is always read. */
  readonly column?: string;
  /** The columns of `value` and `books`. A book without a value counts nowhere. */
  readonly counts: string;
}

const SOURCES: Readonly<Record<FacetName, FacetSource>> = {
  imprint: columnCounts("imprint"),
  language: {
    column: "languages",
    counts: `language COLLATE "C", count(*) FROM counted, unnest(languages) AS language GROUP BY 2`,
  },
  form: columnCounts("form"),
  availability: columnCounts("availability"),
  year: {
    counts: `lpad((${yearInSql("id")})::text, 4, '0') COLLATE "C", count(*)
      FROM counted WHERE id < ${FIRST_UNDATED_ID} GROUP BY 2`,
  },
  lacks: {
    column: "lacks",
    counts: `need.name COLLATE "C", count(*) FROM counted,
      (VALUES ${BOOK_NEEDS.map((need, index) => `(${1 << index}, '${need}')`).join()}) AS need (bit, name)
      WHERE lacks & need.bit <> 0 GROUP BY 2`,
  },
};

function columnCounts(column: string): FacetSource {
  return { column, counts: `${column}, count(*) FROM counted WHERE ${column} IS NOT NULL GROUP BY 2` };
}

interface FacetRow {
  readonly books_found: string;
  /** This and the following are null when nothing was found. */
  readonly facet: FacetName | null;
  readonly value: string;
  readonly books: string;
  readonly distinct_values: string;
}

export async function countFacets(
  session: SearchSession,
  whole: SearchPart,
  estimate: Estimate,
  maxBooks = MAX_FACET_BOOKS,
): Promise<Omit<Facets, "revision">> {
  const byOrder = isWholeRange(whole) || rowsToWalk(estimate, 0, whole, maxBooks) !== undefined;
  const source = byOrder
    ? mergedSourceOf(whole)
    : sourceOf(whole, fastestWay(estimate, 0, whole).way, { reads: "facts" });
  const rows = await session.query<FacetRow>(byOrder ? MERGED : BY_INDEX, facetQuery(source, maxBooks));
  const found = Number(rows[0]!.books_found);
  const facets = Object.fromEntries(FACETS.map((name) => [name, facetOf(name, rows)]));
  return {
    counted: Math.min(found, maxBooks),
    hasMore: found > maxBooks,
    facets: facets as Facets["facets"],
  };
}

function facetOf(name: FacetName, rows: readonly FacetRow[]): Facet {
  const own = rows.filter(({ facet }) => facet === name);
  const values = own.map(({ value, books }): FacetValue => ({ value, books: Number(books) }));
  return { values, distinct: Number(own[0]?.distinct_values ?? 0) };
}

function facetQuery(source: string, maxBooks: number): string {
  const counts = FACETS.map((name) => `SELECT '${name}', ${SOURCES[name].counts}`);
  const columns = ["id", ...FACETS.flatMap((name) => SOURCES[name].column ?? [])];
  return `WITH found AS MATERIALIZED (
      SELECT ${columns} FROM ${source} ORDER BY id LIMIT ${maxBooks + 1}),
    counted AS MATERIALIZED (SELECT * FROM found ORDER BY id LIMIT ${maxBooks}),
    counts (facet, value, books) AS (${counts.join(" UNION ALL ")}),
    ranked AS (
      SELECT *, row_number() OVER (PARTITION BY facet ORDER BY books DESC, value) AS place,
        count(*) OVER (PARTITION BY facet) AS distinct_values
      FROM counts)
    SELECT (SELECT count(*) FROM found) AS books_found, ranked.* FROM (SELECT) AS one
    LEFT JOIN ranked ON place <= ${MAX_FACET_VALUES} ORDER BY facet, place`;
}
