/** Tells why a text is no ISBN. */
import { completeIsbn13, hasValidCheckDigit, type Isbn13, parseIsbn } from "../../../../onix/isbn.ts";

export type IsbnProblem =
  | { readonly kind: "characters"; readonly characters: string }
  | { readonly kind: "length"; readonly count: number }
  /** An ISBN-10 with a wrong check digit; `expected` is the right one. */
  | { readonly kind: "check"; readonly expected: string };

/** Returns the ISBN-13, or what is wrong with the text. */
export function isbnOrProblem(text: string): Isbn13 | IsbnProblem {
  const isbn = parseIsbn(text);
  if (isbn !== undefined) return isbn;
  const others = [...new Set(text.replace(/[\d \u00A0\u2010\u2011-]|[Xx]$/g, ""))];
  if (others.length > 0) return { kind: "characters", characters: others.join(" ") };
  const digits = text.replace(/[^\dXx]/g, "");
  if (digits.length !== 10) return { kind: "length", count: digits.length };
  const candidates = [..."0123456789X"];
  return { kind: "check", expected: candidates.find((last) => parseIsbn(digits.slice(0, 9) + last)) ?? "" };
}

/** Returns the check digit that would be right, or undefined when it is. */
export function expectedCheckDigit(isbn: Isbn13): string | undefined {
  return hasValidCheckDigit(isbn) ? undefined : completeIsbn13(isbn.slice(0, 12))[12];
}
