/** Counts the books of a search by their properties. */
import { bandKeysOfFacts } from "../../../catalog/search/filter-terms.ts";
import { availabilitiesIn } from "../../../catalog/search/market-terms.ts";
import { type FacetGroup, type FacetName, facetGroups } from "../../../catalog/search/properties.ts";
import {
  type Counted,
  type Facet,
  type FacetRequest,
  type Facets,
  MAX_FACET_BOOKS,
  MAX_FACET_VALUES,
} from "../../../catalog/search/search.ts";
import { type SearchIdRange, searchIdRange, yearInSql } from "../../../catalog/search/search-id.ts";
import { compareCodePoints } from "../../../lib/text.ts";
import { needsOfBits } from "../../../onix/completeness/book-needs.ts";
import { languagesFromColumn } from "../rows.ts";
import type { FoundBooks, Match } from "./found-books.ts";
import type { IndexSlice } from "./index-slices.ts";
import { matchOf } from "./match-expression.ts";

type Column = string | number | null;

/** A row that is counted: the columns of some facets, by name. */
export type FacetRow = Readonly<Partial<Record<FacetName, Column>>> & {
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
  audience: { column: "audience", values: languagesFromColumn },
  price: { column: "book_search.facts", values: bandKeysOfFacts },
  year: {
    column: yearInSql("search_id"),
    // 0 for a book without a date.
    values: (year: number) => (year > 0 ? [String(year).padStart(4, "0")] : []),
  },
  lacks: { column: "lacks", values: (bits: number) => (bits === 0 ? [] : needsOfBits(bits)) },
};

/** With a market, the availability is that of the market, as it is in the filter. */
function sourceOf(facet: FacetName, { filters: { market } }: FacetGroup): FacetSource {
  if (facet !== "availability" || market === undefined) return SOURCES[facet];
  return {
    column: "book_search.facts",
    values: (facts: string) => availabilitiesIn(market, facts.trim().split(" ")),
  };
}

/** Counts all facets of a search. Yields between two statements. */
export function* countFacets(
  books: FoundBooks,
  slicesOf: (match: Match, range: SearchIdRange) => Iterable<IndexSlice>,
  { query, filters, maxBooks }: FacetRequest,
): Generator<void, Omit<Facets, "revision">> {
  const counters: FacetCounter[] = [];
  for (const group of facetGroups(filters)) {
    const counter = new FacetCounter(group, maxBooks);
    counters.push(counter);
    const match = matchOf({ query, filters: group.filters });
    const range = searchIdRange(group.filters.from, group.filters.to);
    for (const slice of slicesOf(match, range)) {
      for (let { first } = slice; counter.missing > 0; ) {
        const rows = books.facetRows<FacetRow>(match, counter.columns, { ...slice, first }, counter.missing);
        yield;
        if (rows.length === 0) break;
        counter.count(rows);
        first = BigInt(rows.at(-1)!.id) + 1n;
      }
      if (counter.missing <= 0) break;
    }
  }
  const facets = Object.fromEntries(counters.flatMap((each) => each.facets)) as Record<FacetName, Facet>;
  const { values, ...imprint } = facets.imprint;
  const names = books.imprintNames(values.map(({ value }) => value));
  facets.imprint = { ...imprint, values: values.map((each) => ({ ...each, name: names.get(each.value) })) };
  return { ...counters[0]!.counted, facets };
}

/** Counts the rows of a group of facets, up to a number of books. */
export class FacetCounter {
  readonly #maxBooks: number;
  readonly #counters: readonly (FacetSource & {
    readonly name: FacetName;
    readonly counts: Map<string, number>;
  })[];
  #found = 0;

  constructor(group: FacetGroup, maxBooks = MAX_FACET_BOOKS) {
    this.#maxBooks = maxBooks;
    this.#counters = group.facets.map((name) => ({ name, ...sourceOf(name, group), counts: new Map() }));
  }

  /** The columns of the rows, each after a comma. */
  get columns(): string {
    return this.#counters.map(({ name, column }) => `, ${column} AS ${name}`).join("");
  }

  /** How many more rows to read: one beyond the limit tells that there are more. */
  get missing(): number {
    return this.#maxBooks + 1 - this.#found;
  }

  count(rows: readonly FacetRow[]): void {
    for (const row of rows) {
      if (++this.#found > this.#maxBooks) break;
      for (const { name, values, counts } of this.#counters) {
        const column = row[name] ?? null;
        if (column === null) continue;
        if (values === undefined) count(counts, column as string);
        else for (const value of values(column as never)) count(counts, value);
      }
    }
  }

  get counted(): Counted {
    return { counted: Math.min(this.#found, this.#maxBooks), hasMore: this.#found > this.#maxBooks };
  }

  get facets(): readonly (readonly [FacetName, Facet])[] {
    return this.#counters.map(({ name, counts }) => [name, { ...this.counted, ...facetOf(counts) }]);
  }
}

function count(counts: Map<string, number>, value: string): void {
  counts.set(value, (counts.get(value) ?? 0) + 1);
}

function facetOf(counts: ReadonlyMap<string, number>): Omit<Facet, keyof Counted> {
  const values = [...counts].map(([value, books]) => ({ value, books }));
  values.sort((a, b) => b.books - a.books || compareCodePoints(a.value, b.value));
  return { values: values.slice(0, MAX_FACET_VALUES), distinct: values.length };
}
