/** The quality of a catalog: how many books have what shops need, and how the books are distributed. */
import { BOOK_NEEDS, type BookNeed } from "../../onix/completeness/needs.ts";

/** The imprints that are listed, those with the most books. The others are counted together. */
export const MAX_QUALITY_IMPRINTS = 200;
/** The languages, forms and price bands that are listed, those with the most books. */
export const MAX_QUALITY_VALUES = 1000;
/** The months that are listed: the latest ones, 50 years of a catalog without a gap. */
export const MAX_QUALITY_MONTHS = 600;

/** The books from a day on that are counted, those that come last. All others are counted whatever their number. */
export const MAX_QUALITY_BOOKS = 100_000;

export interface CatalogQuality {
  /** The revision of the catalog that was counted. */
  readonly revision: string;
  /** False when there are more books from the day on than were counted. */
  readonly isComplete: boolean;
  readonly all: CountedBooks;
  /** By number of books, descending, then by slug. */
  readonly imprints: readonly (CountedBooks & { readonly slug: string; readonly name: string })[];
  /** The books of all imprints that are not listed, and the number of these imprints. */
  readonly otherImprints: CountedBooks & { readonly imprints: number };
  readonly withoutImprint: CountedBooks;
  readonly languages: Distribution;
  readonly forms: Distribution;
  /** The values are keys of `price-bands.ts`. */
  readonly prices: Distribution;
  /** The values are months, `YYYYMM`, in descending order. */
  readonly months: Distribution;
}

export interface CountedBooks {
  readonly books: number;
  /** How many of the books lack each thing. */
  readonly lacks: Readonly<Record<BookNeed, number>>;
}

export interface Distribution {
  readonly values: readonly { readonly value: string; readonly books: number }[];
  /** The number of different values, also of those that are not listed. */
  readonly distinct: number;
  /** The books of the values that are not listed. */
  readonly others: number;
}

/** The state of the catalog at the end of an import: its books, and how many of them lacked each thing. */
export type QualityTotals = Readonly<Partial<Record<BookNeed | "books", number>>>;

export function noLacks(): Record<BookNeed, number> {
  return Object.fromEntries(BOOK_NEEDS.map((need) => [need, 0])) as Record<BookNeed, number>;
}
