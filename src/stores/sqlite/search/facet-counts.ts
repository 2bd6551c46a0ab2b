/** Counts the books of a search by their properties. */
import {
  FACETS,
  type Facet,
  type FacetName,
  type Facets,
  MAX_FACET_BOOKS,
  MAX_FACET_VALUES,
} from "../../../catalog/search/search.ts";
import { needsOfBits } from "../../../onix/completeness/book-needs.ts";
import { languagesFromColumn } from "../rows.ts";
import type { FacetRow } from "./found-books.ts";

/** `read` returns rows in batches, up to a limit. */
export function countFacets(
  read: (limit: number) => Iterable<readonly FacetRow[]>,
): Omit<Facets, "revision"> {
  const counts = Object.fromEntries(FACETS.map((name) => [name, new Map()])) as Record<
    FacetName,
    Map<string, number>
  >;
  const add = (name: FacetName, value: string | null) => {
    if (value !== null) counts[name].set(value, (counts[name].get(value) ?? 0) + 1);
  };
  let found = 0;
  for (const rows of read(MAX_FACET_BOOKS + 1)) {
    for (const row of rows) {
      if (++found > MAX_FACET_BOOKS) break;
      add("imprint", row.imprint);
      add("form", row.form);
      add("availability", row.availability);
      if (row.year > 0) add("year", String(row.year).padStart(4, "0"));
      for (const language of languagesFromColumn(row.languages)) add("language", language);
      if (row.lacks !== 0) for (const need of needsOfBits(row.lacks)) add("lacks", need);
    }
  }
  const facets = Object.fromEntries(FACETS.map((name) => [name, facetOf(counts[name])]));
  return {
    counted: Math.min(found, MAX_FACET_BOOKS),
    hasMore: found > MAX_FACET_BOOKS,
    facets: facets as Record<FacetName, Facet>,
  };
}

function facetOf(counts: ReadonlyMap<string, number>): Facet {
  const values = [...counts].map(([value, books]) => ({ value, books }));
  values.sort((a, b) => b.books - a.books || (a.value < b.value ? -1 : 1));
  return { values: values.slice(0, MAX_FACET_VALUES), distinct: values.length };
}
