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

/** A record begins with its `_id`: 24 digits that end with the ISBN. */
const ID_START = '{"_id":"00000000000';

/**
 * Returns whether a record is, by its `_id`, that of another book. A damaged index can lead to one, and the checksum of
 * the record does not tell.
 */
export function isOfOtherBook(isbn: Isbn13, body: Uint8Array): boolean {
  for (let index = 0; index < ID_START.length; index++) {
    if (body[index] !== ID_START.charCodeAt(index)) return false;
  }
  for (let index = 0; index < isbn.length; index++) {
    if (body[ID_START.length + index] !== isbn.charCodeAt(index)) return true;
  }
  return false;
}
