/** Counts the books of a search by their properties. */
import { FACETS, type FacetName } from "../../../catalog/search/properties.ts";
import {
  type Facet,
  type Facets,
  MAX_FACET_BOOKS,
  MAX_FACET_VALUES,
} from "../../../catalog/search/search.ts";
import { yearInSql } from "../../../catalog/search/search-id.ts";
import { needsOfBits } from "../../../onix/completeness/book-needs.ts";
import { languagesFromColumn } from "../rows.ts";

type Column = string | number | null;

/** A row that is counted: the columns of the facets, by name. */
export type FacetRow = Readonly<Record<FacetName, Column>> & {
  /** A decimal number, because it is larger than 2^53. */
  readonly id: string;
};

interface FacetSource {
  /** The expression in the table of books. */
  readonly column: string;
  /** Returns the values that a book counts in. Is left out where the column is the value, or null. */
  readonly values?: (column: never) => readonly string[];
}

const SOURCES: Readonly<Record<FacetName, FacetSource>> = {
  imprint: { column: "imprint" },
  language: { column: "languages", values: languagesFromColumn },
  form: { column: "form" },
  availability: { column: "availability" },
  year: {
    column: yearInSql("search_id"),
    // 0 for a book without a date.
    values: (year: number) => (year > 0 ? [String(year).padStart(4, "0")] : []),
  },
  lacks: { column: "lacks", values: (bits: number) => (bits === 0 ? [] : needsOfBits(bits)) },
};

export const FACET_COLUMNS = FACETS.map((name) => `${SOURCES[name].column} AS ${name}`).join(", ");

/** Counts rows, up to a number of books. */
export class FacetCounter {
  readonly #maxBooks: number;
  readonly #counters = FACETS.map((name) => ({ name, ...SOURCES[name], counts: new Map<string, number>() }));
  #found = 0;

  constructor(maxBooks = MAX_FACET_BOOKS) {
    this.#maxBooks = maxBooks;
  }

  /** How many more rows to read: one beyond the limit tells that there are more. */
  get missing(): number {
    return this.#maxBooks + 1 - this.#found;
  }

  count(rows: readonly FacetRow[]): void {
    for (const row of rows) {
      if (++this.#found > this.#maxBooks) break;
      for (const { name, values, counts } of this.#counters) {
        const column = row[name];
        if (column === null) continue;
        if (values === undefined) count(counts, column as string);
        else for (const value of values(column as never)) count(counts, value);
      }
    }
  }

  result(): Omit<Facets, "revision"> {
    const facets = Object.fromEntries(this.#counters.map(({ name, counts }) => [name, facetOf(counts)]));
    return {
      counted: Math.min(this.#found, this.#maxBooks),
      hasMore: this.#found > this.#maxBooks,
      facets: facets as Record<FacetName, Facet>,
    };
  }
}

function count(counts: Map<string, number>, value: string): void {
  counts.set(value, (counts.get(value) ?? 0) + 1);
}

function facetOf(counts: ReadonlyMap<string, number>): Facet {
  const values = [...counts].map(([value, books]) => ({ value, books }));
  values.sort((a, b) => b.books - a.books || (a.value < b.value ? -1 : 1));
  return { values: values.slice(0, MAX_FACET_VALUES), distinct: values.length };
}
