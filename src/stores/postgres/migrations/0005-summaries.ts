import type { SQL } from "bun";
import { isIntact, summaryOfEntry } from "../../../catalog/entry.ts";
import type { StoredRecord } from "../../../catalog/store.ts";
import { BEFORE_FIRST_ISBN, type KeysetQuery, keysetPages } from "../snapshots/pages.ts";

interface RecordRow extends StoredRecord {
  readonly isbn: string;
}

const ALL_RECORDS: KeysetQuery<RecordRow> = {
  columns: "isbn, etag, body",
  bytes: "size",
  where: "isbn > $3::bigint",
  order: "isbn",
  start: [BEFORE_FIRST_ISBN],
  keyOf: ({ isbn }) => [isbn],
  fixed: [],
};

/** Hexadecimal digits need no quotes in an array literal. */
const INSERT = `INSERT INTO colophon.summary
  SELECT isbn, octet_length(digits) / 2, etag, decode(digits, 'hex')
  FROM unnest($1::bigint[], $2::text[], $3::text[]) AS made (isbn, etag, digits)`;

/** Makes the summaries of the records that the catalog has. The pages bound the memory. */
export async function fillSummaries(sql: SQL): Promise<void> {
  const pages = keysetPages(
    <Row>(query: string, values: readonly unknown[]) => sql.unsafe<Row[]>(query, [...values]),
    ALL_RECORDS,
  );
  for await (const page of pages) {
    // The summary of a damaged record is missing, and counts as damaged too.
    const made = page.filter(isIntact).map(({ isbn, body }) => ({ isbn, ...summaryOfEntry({ body }) }));
    if (made.length === 0) continue;
    const array = (values: readonly string[]) => `{${values.join()}}`;
    await sql.unsafe(INSERT, [
      array(made.map(({ isbn }) => isbn)),
      array(made.map(({ etag }) => etag)),
      array(made.map(({ body }) => Buffer.from(body).toString("hex"))),
    ]);
  }
}
