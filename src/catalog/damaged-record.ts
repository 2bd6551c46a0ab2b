/** An etag is a digest of the record's bytes, so it serves as the checksum that reveals damage. */
import type { Isbn13 } from "../onix/isbn.ts";
import { etagOf } from "./entry.ts";
import type { StoredRecord } from "./store.ts";

/** The store has returned other bytes than were written. They are never served. */
export class DamagedRecord extends Error {
  override readonly name = "DamagedRecord";

  constructor(readonly isbn: Isbn13) {
    super(
      `The record of ${isbn} is damaged in the store; run "colophon verify", then restore a backup or import the feeds into a new store.`,
    );
  }
}

/** Returns whether a record is undamaged. Damage can even change the type of a value that SQLite returns. */
export function isIntact({ body, etag }: StoredRecord): boolean {
  return body instanceof Uint8Array && etagOf(body) === etag;
}
