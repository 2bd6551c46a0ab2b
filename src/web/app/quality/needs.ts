/** What bookshops need of a book, and how much of it the books of an imprint have. */
import type { Quality } from "../../../client/generated/book.ts";

/** The names in the API, in the order of a book's page. */
export const NEEDS = [
  "title",
  "contributor",
  "form",
  "subject",
  "description",
  "cover",
  "price",
  "availability",
  "date",
  "audience",
] as const;
export type Need = (typeof NEEDS)[number];

/** `has` says how many of the books have each thing. */
export type CountedBooks = Pick<Quality, "books" | "has">;

/** Returns whole percents. Only what is complete has 100, and only what is nowhere has 0. */
export function percentOf(has: number, books: number): number {
  if (has >= books) return 100;
  if (has === 0) return 0;
  return Math.min(99, Math.max(1, Math.round((has / books) * 100)));
}
