import type { BookChange } from "../catalog/changes/change-history.ts";
import { isbnFromColumn } from "./columns.ts";

/** A change as both engines return it. */
export interface ChangeRow {
  readonly number: number;
  readonly isbn: number | string;
  /** Is null for a deletion. */
  readonly added: number | null;
  /** Is null when a damaged store has lost the import of the change. */
  readonly at: string | null;
}

export function changeFromRow({ number, isbn, added, at }: ChangeRow): BookChange {
  if (at === null) throw new Error(`The history of changes is damaged: import ${number} is missing`);
  return { number, isbn: isbnFromColumn(isbn), added: added ?? undefined, at };
}
