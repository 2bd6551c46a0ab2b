import { completeIsbn13, type Isbn13 } from "../src/onix/isbn.ts";

/** Returns a valid ISBN that contains the number, so that ISBNs sort like their numbers. */
export function numberedIsbn(number: number): Isbn13 {
  return completeIsbn13(`97912${String(number).padStart(7, "0")}`);
}
