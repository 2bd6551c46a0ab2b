/** Conversions between column values and the types of the store port that both engines share. */
import type { Imprint } from "../catalog/store.ts";
import type { Day } from "../onix/date.ts";
import type { Isbn13 } from "../onix/isbn.ts";

export interface ImprintColumns {
  readonly imprint: string | null;
  readonly imprint_name: string | null;
}

export function imprintFromColumns({ imprint, imprint_name }: ImprintColumns): Imprint | undefined {
  return imprint === null || imprint_name === null ? undefined : { slug: imprint, name: imprint_name };
}

/** Both engines store an ISBN as an integer: thirteen digits are well below 2^53. */
export function isbnFromColumn(isbn: number | string): Isbn13 {
  return String(isbn).padStart(13, "0") as Isbn13;
}

/** A date is stored as the integer YYYYMMDD. */
export function dayFromNumber(number: number): Day {
  return String(number).padStart(8, "0") as Day;
}
