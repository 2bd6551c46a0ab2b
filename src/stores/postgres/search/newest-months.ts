/**
 * How many books the months have. The newest books with a word that is neither common nor rare are found among the books
 * of the newest months: reading all books with the word would take longer.
 */
import { type SearchId, searchIdRange } from "../../../catalog/search/search-id.ts";
import type { Day } from "../../../onix/date.ts";

/** Some of the newest months: the number of their books, which are a range of ids, and the last id of it. */
interface MonthRange {
  readonly last: SearchId;
  readonly books: number;
}

export interface MonthRow {
  readonly records: string;
  /** `YYYYMM` and the number of books, by month. */
  readonly months: readonly string[];
}

export const MONTHS_QUERY = `SELECT records::text,
    ARRAY(SELECT value || ' ' || books FROM colophon.book_count WHERE kind = 'month') AS months
  FROM colophon.catalog`;

export class NewestMonths {
  /** The records of the catalog. */
  readonly records: number;
  readonly #ranges: readonly MonthRange[];

  constructor({ records, months }: MonthRow) {
    this.records = Number(records);
    let books = 0;
    this.#ranges = months
      .toSorted()
      .reverse()
      .map((each) => {
        const [month, count] = each.split(" ");
        books += Number(count);
        return { last: searchIdRange(`${month}01` as Day, undefined).last, books };
      });
  }

  /** Returns the fewest of the newest months that have so many books. */
  withBooks(books: number): MonthRange | undefined {
    return this.#ranges.find((range) => range.books >= books);
  }
}
