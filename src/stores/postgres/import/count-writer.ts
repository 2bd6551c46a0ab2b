import type { SQL } from "bun";
import { etagOf } from "../../../catalog/entry.ts";
import { CountChanges } from "../../count-changes.ts";

/** The tables of counts, with their columns. The first one is a digest of the two that name a count. */
const TABLES = {
  imprint: ["spelling", "slug", "name", "records"],
  book_count: ["key", "kind", "value", "books"],
} as const;

const ROWS_PER_STATEMENT = 1000;
const encoder = new TextEncoder();

/** Maintains a table of counts, within the transaction of an import or a migration. */
export class CountWriter extends CountChanges {
  readonly #add: string;
  readonly #deleteUnused: string;

  constructor(table: keyof typeof TABLES) {
    super(table);
    const [key, , , count] = TABLES[table];
    this.#add = `INSERT INTO colophon.${table} AS stored (${TABLES[table].join()})
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
      ON CONFLICT (${key}) DO UPDATE SET ${count} = stored.${count} + excluded.${count}`;
    this.#deleteUnused = `DELETE FROM colophon.${table} WHERE ${key} = ANY ($1::text[]) AND ${count} = 0`;
  }

  async write(sql: SQL): Promise<void> {
    const changes = this.take();
    for (let from = 0; from < changes.length; from += ROWS_PER_STATEMENT) {
      const slice = changes.slice(from, from + ROWS_PER_STATEMENT);
      const keys = slice.map(({ names }) => countKey(names));
      await sql.unsafe(this.#add, [
        keys,
        slice.map(({ names }) => names[0]),
        slice.map(({ names }) => names[1]),
        slice.map(({ change }) => change),
      ]);
      const decreased = keys.filter((_, index) => slice[index]!.change < 0);
      if (decreased.length > 0) await sql.unsafe(this.#deleteUnused, [decreased]);
    }
  }
}

/** No slug and no kind has a line feed, so the key is unambiguous. */
export function countKey(names: readonly [string, string]): string {
  return etagOf(encoder.encode(names.join("\n")));
}
