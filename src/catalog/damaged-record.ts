/** A record's etag is a digest of its bytes: so it is also the checksum by which damage is noticed. */
import type { Isbn13 } from "../onix/isbn.ts";
import { etagOf } from "./entry.ts";
import type { StoredRecord } from "./store.ts";

/** The store has answered, but not with the bytes that were put into it. They are given to nobody. */
export class DamagedRecord extends Error {
  override readonly name = "DamagedRecord";

  constructor(readonly isbn: Isbn13) {
    super(
      `The record of ${isbn} is damaged in the store; run "colophon verify", and put a backup in its place or import the feeds into a new store.`,
    );
  }
}

/** Asked whenever a body comes out of a store, whose types damage may have changed, too. */
export function isIntact({ body, etag }: StoredRecord): boolean {
  return body instanceof Uint8Array && etagOf(body) === etag;
}
