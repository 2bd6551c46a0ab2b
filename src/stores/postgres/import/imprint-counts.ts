import type { SQL } from "bun";
import { etagOf } from "../../../catalog/entry.ts";
import { spellingKey } from "../../../catalog/imprint.ts";
import type { Imprint } from "../../../catalog/store.ts";
import { ImprintCountChanges } from "../../imprint-count-changes.ts";

const ROWS_PER_STATEMENT = 1000;
const encoder = new TextEncoder();

/** Maintains the `imprint` table: the number of records of each imprint spelling. */
export class ImprintCounts {
  readonly #changes = new ImprintCountChanges();

  /** Counts a record that comes (1) or goes (-1). */
  add(imprint: Imprint, change: 1 | -1): void {
    this.#changes.add(imprint, change);
  }

  /** Is true when the changes should be written, so that memory stays bounded. */
  get isFull(): boolean {
    return this.#changes.isFull;
  }

  async write(sql: SQL): Promise<void> {
    const changes = this.#changes.take();
    for (let from = 0; from < changes.length; from += ROWS_PER_STATEMENT) {
      const slice = changes.slice(from, from + ROWS_PER_STATEMENT);
      await sql.unsafe(
        `INSERT INTO colophon.imprint AS stored (spelling, slug, name, records)
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
         ON CONFLICT (spelling) DO UPDATE SET records = stored.records + excluded.records`,
        [
          slice.map((imprint) => etagOf(encoder.encode(spellingKey(imprint)))),
          slice.map(({ slug }) => slug),
          slice.map(({ name }) => name),
          slice.map(({ change }) => change),
        ],
      );
    }
    if (changes.some(({ change }) => change < 0)) {
      await sql.unsafe("DELETE FROM colophon.imprint WHERE records = 0");
    }
  }
}
