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

/** What stands before the ISBN in a record (its `_id` ends with the ISBN) and in a summary. */
const STARTS = ['{"_id":"00000000000', '{"isbn":"'];

/**
 * Returns whether a record or a summary is, by its first field, that of another book. A damaged index can lead to one,
 * and the checksum does not tell.
 */
export function isOfOtherBook(isbn: Isbn13, body: Uint8Array): boolean {
  const start = STARTS.find((each) => hasAt(body, 0, each));
  return start !== undefined && !hasAt(body, start.length, isbn);
}

function hasAt(body: Uint8Array, offset: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (body[offset + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}
