import type { Database } from "bun:sqlite";
import { isIntact, searchDocumentOfBody } from "../../../../catalog/entry.ts";
import type { StoredRecord } from "../../../../catalog/store.ts";
import { dayFromNumber, isbnFromColumn } from "../../../columns.ts";
import { SearchIndexWriter } from "../../search/index-writer.ts";
import createTables from "./0012-quality.sql" with { type: "text" };
import createIndexes from "./0012-quality-indexes.sql" with { type: "text" };

/** Bounds the memory. */
const BATCH_ROWS = 100;

interface BookRow extends StoredRecord {
  readonly id: number;
  readonly isbn: number;
  readonly published: number | null;
}

/** Makes the search index and the counts of the books that the catalog has. */
export function addQuality(db: Database): void {
  db.run(createTables);
  using rows = db.prepare<BookRow, [number]>(
    `SELECT id, isbn, published, etag, body FROM record JOIN body USING (id)
     WHERE id > ? ORDER BY id LIMIT ${BATCH_ROWS}`,
  );
  using writer = new SearchIndexWriter(db);
  for (let lastId = Number.MIN_SAFE_INTEGER; ; ) {
    const batch = rows.all(lastId);
    if (batch.length === 0) break;
    lastId = batch.at(-1)!.id;
    // A search does not find a damaged record before an import has written it again.
    for (const row of batch)
      if (isIntact(row)) writer.add(row.id, placeOf(row), searchDocumentOfBody(row.body));
  }
  writer.flush();
  db.run(createIndexes);
}

function placeOf({ isbn, published }: BookRow) {
  return {
    isbn: isbnFromColumn(isbn),
    published: published === null ? undefined : dayFromNumber(published),
  };
}
