import type { SQL } from "bun";
import { isIntact, searchDocumentOfBody } from "../../../catalog/entry.ts";
import { isSearchable } from "../../../catalog/search/search-id.ts";
import type { StoredRecord } from "../../../catalog/store.ts";
import { dayFromNumber, isbnFromColumn } from "../../columns.ts";
import { BinaryWriter } from "../import/copy-rows.ts";
import { CountWriter } from "../import/count-writer.ts";
import { copyIndexRows, createSearchIndexes, indexRowOf } from "../search/index-rows.ts";
import { BEFORE_FIRST_ISBN, type KeysetQuery, keysetPages } from "../snapshots/pages.ts";

interface RecordRow extends StoredRecord {
  readonly isbn: string;
  readonly recency: number | null;
}

const ALL_RECORDS: KeysetQuery<RecordRow> = {
  columns: "isbn, recency, etag, body",
  bytes: "size",
  where: "isbn > $3::bigint",
  order: "isbn",
  start: [BEFORE_FIRST_ISBN],
  keyOf: ({ isbn }) => [isbn],
  fixed: [],
};

/** Indexes and counts the records that the catalog has. The pages bound the memory. */
export async function fillQuality(sql: SQL): Promise<void> {
  const writer = new BinaryWriter();
  const counts = new CountWriter("book_count");
  // A page is requested while the one before is copied, on the same connection: the client sends one after the other.
  const pages = keysetPages(
    <Row>(query: string, values: readonly unknown[]) => sql.unsafe<Row[]>(query, [...values]),
    ALL_RECORDS,
  );
  for await (const page of pages) {
    // A damaged record is not found by a search until it is imported again.
    const books = page.filter((row) => isIntact(row) && isSearchable(isbnFromColumn(row.isbn)));
    const rows = books.map(({ isbn, recency, body }) => {
      const published = recency === null ? undefined : dayFromNumber(-recency);
      const document = searchDocumentOfBody(body);
      counts.addBook({ ...document, published }, 1);
      return indexRowOf(isbnFromColumn(isbn), published, document);
    });
    if (rows.length > 0) await copyIndexRows(sql, rows, writer);
    if (counts.isFull) await counts.write(sql);
  }
  await counts.write(sql);
  await createSearchIndexes(sql);
}
