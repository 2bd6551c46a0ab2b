/** Counts the books of a search by their properties. */
import { exceptIn, REST_PATTERN, soldPattern, UNKNOWN } from "../../../catalog/search/market-terms.ts";
import type { FacetGroup, FacetName } from "../../../catalog/search/properties.ts";
import {
  type Counted,
  type Facet,
  type Facets,
  type FacetValue,
  MAX_FACET_BOOKS,
  MAX_FACET_VALUES,
} from "../../../catalog/search/search.ts";
import { FIRST_UNDATED_ID, yearInSql } from "../../../catalog/search/search-id.ts";
import { BOOK_NEEDS } from "../../../onix/completeness/needs.ts";
import { type Estimate, fastestWay, indexedPart, rowsToWalk } from "./estimate.ts";
import { isWholeRange, literal, mergedSourceOf, type SearchPart, sourceOf } from "./search-parts.ts";
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
  language: arrayCounts("languages"),
  form: columnCounts("form"),
  availability: columnCounts("availability"),
  audience: arrayCounts("audience"),
  price: arrayCounts("prices"),
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

function arrayCounts(column: string): FacetSource {
  return { column, counts: `item COLLATE "C", count(*) FROM counted, unnest(${column}) AS item GROUP BY 2` };
}

/** With a market, the availability is that of the market, as it is in the filter: see `availabilitiesIn`. */
function sourceOfFacet(facet: FacetName, { filters: { market } }: FacetGroup): FacetSource {
  if (facet !== "availability" || market === undefined) return SOURCES[facet];
  const sold = literal(soldPattern(market));
  const notAmongRest = literal(market.map((country) => `'${exceptIn(country)}'`).join(" & "));
  return {
    column: "facts",
    counts: `right(fact, 2) COLLATE "C", count(DISTINCT id) FROM counted, unnest(tsvector_to_array(facts)) AS fact
      WHERE fact ~ ${sold} AND right(fact, 2) <> '${UNKNOWN}'
        AND (fact !~ ${literal(REST_PATTERN)} OR NOT facts @@ ${notAmongRest}::tsquery) GROUP BY 2`,
  };
}

interface FacetRow {
  readonly books_found: string;
  /** This and the following are null when nothing was found. */
  readonly facet: FacetName | null;
  readonly value: string;
  readonly books: string;
  readonly distinct_values: string;
  readonly name: string | null;
}

/** Counts the facets of a group in the books of its filters, which are the whole. */
export async function countFacets(
  session: SearchSession,
  selected: SearchPart,
  estimate: Estimate,
  group: FacetGroup,
  maxBooks = MAX_FACET_BOOKS,
): Promise<Counted & { readonly facets: Partial<Facets["facets"]> }> {
  const whole = indexedPart(estimate, selected);
  const byOrder = isWholeRange(whole) || rowsToWalk(estimate, 0, whole, maxBooks) !== undefined;
  const source = byOrder
    ? mergedSourceOf(whole)
    : sourceOf(whole, fastestWay(estimate, 0, whole).way, { reads: "facts" });
  const query = facetQuery(source, group, maxBooks);
  const rows = await session.query<FacetRow>(byOrder ? MERGED : BY_INDEX, query);
  const found = Number(rows[0]!.books_found);
  const counted: Counted = { counted: Math.min(found, maxBooks), hasMore: found > maxBooks };
  const facets = group.facets.map((name) => [name, { ...counted, ...facetOf(name, rows) }]);
  return { ...counted, facets: Object.fromEntries(facets) };
}

function facetOf(name: FacetName, rows: readonly FacetRow[]): Omit<Facet, keyof Counted> {
  const own = rows.filter(({ facet }) => facet === name);
  const values = own.map((row): FacetValue => {
    const counted = { value: row.value, books: Number(row.books) };
    return row.name === null ? counted : { ...counted, name: row.name };
  });
  return { values, distinct: Number(own[0]?.distinct_values ?? 0) };
}

function facetQuery(source: string, group: FacetGroup, maxBooks: number): string {
  const sources = group.facets.map((name) => ({ name, ...sourceOfFacet(name, group) }));
  const counts = sources.map(({ name, counts }) => `SELECT '${name}', ${counts}`);
  const columns = new Set(["id", ...sources.flatMap(({ column }) => column ?? [])]);
  return `WITH found AS MATERIALIZED (
      SELECT ${[...columns]} FROM ${source} ORDER BY id LIMIT ${maxBooks + 1}),
    counted AS MATERIALIZED (SELECT * FROM found ORDER BY id LIMIT ${maxBooks}),
    counts (facet, value, books) AS (${counts.join(" UNION ALL ")}),
    ranked AS (
      SELECT *, row_number() OVER (PARTITION BY facet ORDER BY books DESC, value) AS place,
        count(*) OVER (PARTITION BY facet) AS distinct_values
      FROM counts)
    SELECT (SELECT count(*) FROM found) AS books_found, ranked.*,
      CASE facet WHEN 'imprint' THEN (${IMPRINT_NAME}) END AS name FROM (SELECT) AS one
    LEFT JOIN ranked ON place <= ${MAX_FACET_VALUES} ORDER BY facet, place`;
}

/** The spelling that most of its records use, on a tie the first. The index has the beginning of the slug. */
const IMPRINT_NAME = `SELECT name FROM colophon.imprint WHERE left(slug, 256) = left(value, 256) AND slug = value
  ORDER BY records DESC, name LIMIT 1`;
