/**
 * Reads the quality of a catalog from the counts that a store keeps. One statement reads one state, and both engines
 * understand it.
 */

import { type CountKind, LACK_KINDS, NO_IMPRINT } from "../catalog/quality/book-counts.ts";
import {
  type CatalogQuality,
  type CountedBooks,
  type Distribution,
  MAX_QUALITY_BOOKS,
  MAX_QUALITY_IMPRINTS,
  MAX_QUALITY_MONTHS,
  MAX_QUALITY_VALUES,
  noLacks,
} from "../catalog/quality/catalog-quality.ts";
import { compareCodePoints } from "../lib/text.ts";
import { BOOK_NEEDS, type BookNeed } from "../onix/completeness/needs.ts";
import type { Day } from "../onix/date.ts";

/** PostgreSQL returns large integers as texts. */
type Integer = number | string;

export interface QualityRow {
  /** `total` has a sum for each kind, `value` a count that is listed, and `name` the name of an imprint. */
  readonly part: "total" | "value" | "name";
  readonly kind: CountKind | "";
  readonly value: string;
  readonly books: Integer;
  /** The number of values of the kind, in totals. */
  readonly distinct_values: Integer;
  readonly name: string;
}

/** Without the definition of a table `counted` (and of those that it needs), the counts that imports maintain are read. */
export function qualityQuery(schema: string, counted?: string): string {
  const counts = counted === undefined ? `${schema}book_count` : "counted";
  const listed = (kind: CountKind, order: string, limit: number) =>
    `SELECT * FROM (SELECT 'value', kind, value, books, 0, '' FROM ${counts} WHERE kind = '${kind}' ORDER BY ${order} LIMIT ${limit}) AS listed_${kind}`;
  const ofImprints = ["imprint", ...LACK_KINDS].map((kind) => `'${kind}'`).join();
  // The name of an imprint is the spelling that most of its records use, on a tie the first.
  return `WITH ${counted === undefined ? "" : `${counted},`} largest AS MATERIALIZED (
      SELECT value FROM ${counts} WHERE kind = 'imprint' AND value <> '${NO_IMPRINT}'
      ORDER BY books DESC, value LIMIT ${MAX_QUALITY_IMPRINTS}),
    spelling AS (
      SELECT slug, name, row_number() OVER (PARTITION BY slug ORDER BY records DESC, name) AS place
      FROM ${schema}imprint WHERE slug IN (SELECT value FROM largest))
    SELECT 'total' AS part, kind, '' AS value, CAST(sum(books) AS BIGINT) AS books, count(*) AS distinct_values, '' AS name
      FROM ${counts} GROUP BY kind
    UNION ALL SELECT 'value', kind, value, books, 0, '' FROM ${counts}
      WHERE kind IN (${ofImprints}) AND (value = '${NO_IMPRINT}' OR value IN (SELECT value FROM largest))
    UNION ALL SELECT 'name', '', slug, 0, 0, name FROM spelling WHERE place = 1
    UNION ALL ${listed("language", "books DESC, value", MAX_QUALITY_VALUES)}
    UNION ALL ${listed("form", "books DESC, value", MAX_QUALITY_VALUES)}
    UNION ALL ${listed("price", "books DESC, value", MAX_QUALITY_VALUES)}
    UNION ALL ${listed("month", "value DESC", MAX_QUALITY_MONTHS)}`;
}

export function qualityFromRows(rows: readonly QualityRow[], revision: string, from?: Day): CatalogQuality {
  const counts = new CountTable(rows);
  const names = new Map(rows.flatMap(({ part, value, name }) => (part === "name" ? [[value, name]] : [])));
  const slugs = counts.listed("imprint").filter(({ value }) => value !== NO_IMPRINT);
  const imprints = slugs.map(({ value: slug }) => ({
    slug,
    name: names.get(slug) ?? slug,
    ...counts.ofImprint(slug),
  }));
  const all = counts.ofAll();
  const isComplete = from === undefined || all.books <= MAX_QUALITY_BOOKS;
  const withoutImprint = counts.ofImprint(NO_IMPRINT);
  const hasUnnamed = withoutImprint.books > 0 ? 1 : 0;
  return {
    revision,
    isComplete,
    all,
    imprints,
    otherImprints: {
      imprints: counts.distinct("imprint") - hasUnnamed - imprints.length,
      ...without(all, [...imprints, withoutImprint]),
    },
    withoutImprint,
    languages: counts.distribution("language"),
    forms: counts.distribution("form"),
    prices: counts.distribution("price"),
    months: counts.distribution("month", (a, b) => compareCodePoints(b.value, a.value)),
  };
}

interface Counted {
  readonly value: string;
  readonly books: number;
}

type Order = (a: Counted, b: Counted) => number;
const BY_BOOKS: Order = (a, b) => b.books - a.books || compareCodePoints(a.value, b.value);

class CountTable {
  readonly #totals = new Map<string, { readonly books: number; readonly distinct: number }>();
  readonly #values = new Map<string, Map<string, number>>();

  constructor(rows: readonly QualityRow[]) {
    for (const { part, kind, value, books, distinct_values } of rows) {
      if (part === "total")
        this.#totals.set(kind, { books: Number(books), distinct: Number(distinct_values) });
      if (part !== "value") continue;
      const values = this.#values.get(kind) ?? new Map();
      this.#values.set(kind, values.set(value, Number(books)));
    }
  }

  distinct(kind: CountKind): number {
    return this.#totals.get(kind)?.distinct ?? 0;
  }

  ofAll(): CountedBooks {
    return this.#counted((kind) => this.#totals.get(kind)?.books ?? 0);
  }

  ofImprint(slug: string): CountedBooks {
    return this.#counted((kind) => this.#values.get(kind)?.get(slug) ?? 0);
  }

  listed(kind: CountKind, order: Order = BY_BOOKS): readonly Counted[] {
    return Array.from(this.#values.get(kind) ?? [], ([value, books]) => ({ value, books })).sort(order);
  }

  distribution(kind: CountKind, order?: Order): Distribution {
    const values = this.listed(kind, order);
    const listed = values.reduce((sum, { books }) => sum + books, 0);
    return { values, distinct: this.distinct(kind), others: (this.#totals.get(kind)?.books ?? 0) - listed };
  }

  #counted(read: (kind: CountKind) => number): CountedBooks {
    const lacks = noLacks();
    for (const need of BOOK_NEEDS) lacks[need] = read(`lacks ${need}`);
    return { books: read("imprint"), lacks };
  }
}

function without(all: CountedBooks, parts: readonly CountedBooks[]): CountedBooks {
  const rest = (read: (counted: CountedBooks) => number) =>
    parts.reduce((left, part) => left - read(part), read(all));
  const lacks = noLacks();
  for (const need of BOOK_NEEDS as readonly BookNeed[]) lacks[need] = rest((counted) => counted.lacks[need]);
  return { books: rest(({ books }) => books), lacks };
}
