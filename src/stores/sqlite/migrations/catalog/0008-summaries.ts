import type { Database } from "bun:sqlite";
import { isIntact, summaryOfEntry } from "../../../../catalog/entry.ts";
import type { StoredRecord } from "../../../../catalog/store.ts";
import createTable from "./0008-summaries.sql" with { type: "text" };

/** Bounds the memory. */
const BATCH_ROWS = 100;

/** Creates the table of summaries, and makes the summaries of the records that the catalog has. */
export function addSummaries(db: Database): void {
  db.run(createTable);
  using rows = db.prepare<StoredRecord & { readonly id: number }, [number]>(
    `SELECT id, etag, body FROM body WHERE id > ? ORDER BY id LIMIT ${BATCH_ROWS}`,
  );
  using insert = db.prepare<unknown, [number, string, Uint8Array]>("INSERT INTO summary VALUES (?, ?, ?)");
  for (let lastId = Number.MIN_SAFE_INTEGER; ; ) {
    const batch = rows.all(lastId);
    if (batch.length === 0) return;
    lastId = batch.at(-1)!.id;
    for (const row of batch) {
      // The summary of a damaged record is missing, and counts as damaged too.
      if (!isIntact(row)) continue;
      const { etag, body } = summaryOfEntry({ body: row.body });
      insert.run(row.id, etag, body);
    }
  }
}
