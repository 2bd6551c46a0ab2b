import type { SQL } from "bun";
import { etagOf } from "../../../catalog/entry.ts";
import type { Entry } from "../../../catalog/store.ts";

/** More than a feed of many publishers has at once, and little memory. */
const KEPT = 10_000;

interface Spelling {
  readonly slug: string;
  readonly name: string;
  change: number;
}

/**
 * Counts how many records use which spelling of an imprint, as records come and go. What has changed is kept
 * here, and written when it gets much and at the end: one write for each spelling, not each record.
 */
export class ImprintCounts {
  readonly #changes = new Map<string, Spelling>();

  count({ slug, name }: NonNullable<Entry["imprint"]>, change: 1 | -1): void {
    const key = `${slug}\n${name}`;
    const spelling = this.#changes.get(key);
    if (spelling) spelling.change += change;
    else this.#changes.set(key, { slug, name, change });
  }

  get isMuch(): boolean {
    return this.#changes.size > KEPT;
  }

  async write(sql: SQL): Promise<void> {
    const changed = [...this.#changes].filter(([, { change }]) => change !== 0);
    this.#changes.clear();
    for (let at = 0; at < changed.length; at += 1000) {
      const some = changed.slice(at, at + 1000);
      await sql.unsafe(
        `INSERT INTO colophon.imprint AS held (spelling, slug, name, records)
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
         ON CONFLICT (spelling) DO UPDATE SET records = held.records + excluded.records`,
        [
          some.map(([key]) => etagOf(encoder.encode(key))),
          some.map(([, { slug }]) => slug),
          some.map(([, { name }]) => name),
          some.map(([, { change }]) => change),
        ],
      );
    }
    if (changed.some(([, { change }]) => change < 0)) {
      await sql.unsafe("DELETE FROM colophon.imprint WHERE records = 0");
    }
  }
}

const encoder = new TextEncoder();
