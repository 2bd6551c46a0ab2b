import type { SQL } from "bun";
import { editionTargetsOf } from "../../../catalog/editions/edition-links.ts";
import type { EditionLink, Entry } from "../../../catalog/store.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import { isbnFromColumn } from "../../columns.ts";
import { isbnArray } from "../rows.ts";

/** The links that wait for one statement. */
const MAX_LINKS = 10_000;

const STORED =
  "SELECT isbn, target FROM colophon.edition_link WHERE isbn = ANY ($1::bigint[]) ORDER BY target";
const REMOVE = "DELETE FROM colophon.edition_link WHERE isbn = ANY ($1::bigint[])";
/** A damaged catalog may have links of a record that it has lost. */
const ADD = `INSERT INTO colophon.edition_link SELECT * FROM unnest($1::bigint[], $2::text[])
  ON CONFLICT DO NOTHING`;

/** Writes the links of editions. A record without links writes nothing, nor does one whose links stay the same. */
export class EditionLinkWriter {
  #links: EditionLink[] = [];

  /** True when the links should be written, so that memory stays bounded. */
  get isFull(): boolean {
    return this.#links.length >= MAX_LINKS;
  }

  /** Adds the links of records that have none yet. */
  add(entries: readonly Entry[]): void {
    for (const entry of entries) this.#add(entry.isbn, editionTargetsOf(entry));
  }

  /** Writes what changes of records that the catalog has. Those that are not among `puts` are removed. */
  async update(
    connection: SQL,
    existing: readonly { readonly isbn: string }[],
    puts: ReadonlyMap<Isbn13, Entry>,
  ): Promise<void> {
    // An update of the supply alone leaves the block of the links as it is.
    const isbns = existing.map(({ isbn }) => isbnFromColumn(isbn)).filter((isbn) => !puts.get(isbn)?.supply);
    if (isbns.length === 0) return;
    const stored = new Map<Isbn13, string[]>(isbns.map((isbn) => [isbn, []]));
    const rows = await connection.unsafe<EditionLink[]>(STORED, [isbnArray(isbns)]);
    for (const { isbn, target } of rows) stored.get(isbnFromColumn(isbn))!.push(target);
    const removed: Isbn13[] = [];
    for (const [isbn, before] of stored) {
      const entry = puts.get(isbn);
      const now = entry === undefined ? [] : editionTargetsOf(entry);
      if (before.length === now.length && before.every((target, index) => target === now[index])) continue;
      if (before.length > 0) removed.push(isbn);
      this.#add(isbn, now);
    }
    if (removed.length > 0) await connection.unsafe(REMOVE, [isbnArray(removed)]);
  }

  async flush(connection: SQL): Promise<void> {
    const links = this.#links;
    if (links.length === 0) return;
    this.#links = [];
    await connection.unsafe(ADD, [links.map(({ isbn }) => isbn), links.map(({ target }) => target)]);
  }

  #add(isbn: Isbn13, targets: readonly string[]): void {
    for (const target of targets) this.#links.push({ isbn, target });
  }
}
