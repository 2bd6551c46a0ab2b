/** The response of `/api/quality`, as far as the page shows it. */
import type { CountedValue } from "./months.ts";
import type { CountedBooks } from "./needs.ts";

export interface Quality extends CountedBooks {
  readonly revision: string;
  /** False when there are more forthcoming books than are counted. */
  readonly complete: boolean;
  readonly imprints: readonly (CountedBooks & { readonly slug: string; readonly name: string })[];
  /** The books of the imprints that are not listed. */
  readonly otherImprints: CountedBooks & { readonly imprints: number };
  readonly withoutImprint: CountedBooks;
  readonly languages: readonly CountedValue[];
  readonly forms: readonly CountedValue[];
  readonly prices: readonly PriceBand[];
  /** The values are months, `YYYYMM`. */
  readonly months: readonly CountedValue[];
}

export interface PriceBand {
  readonly currency: string;
  readonly from: number;
  /** The highest band has none. */
  readonly below: number | null;
  readonly books: number;
}

/** Returns the bands of each currency, the one with the most books first. Bands are in ascending order. */
export function bandsByCurrency(prices: readonly PriceBand[]): ReadonlyMap<string, readonly PriceBand[]> {
  const sum = (bands: readonly PriceBand[]) => bands.reduce((total, { books }) => total + books, 0);
  const groups = [...Map.groupBy(prices, ({ currency }) => currency)];
  return new Map(
    groups
      .sort(([, a], [, b]) => sum(b) - sum(a))
      .map(([currency, bands]) => [currency, bands.toSorted((a, b) => a.from - b.from)]),
  );
}
