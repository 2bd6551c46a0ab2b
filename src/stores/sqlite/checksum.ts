/** The checksum that stands beside each record and summary. It reveals damage on every read. */
import type { StoredRecord } from "../../catalog/store.ts";

/** A row of the tables of `VIEW_TABLES`. */
export interface CheckedRow extends StoredRecord {
  readonly checksum: number;
}

/**
 * Returns 48 bits of the XXH3 digest of the bytes, seeded with the etag: it covers both. It is for accidents, not for
 * attackers. SHA-256, which the etag is made with, takes 24 µs for 4 kB on a processor without instructions for it,
 * which is as much as the rest of a lookup. XXH3 takes 1 µs.
 */
export function checksumOf({ body, etag }: StoredRecord): number {
  return Number(Bun.hash.xxHash3(body, BigInt(Bun.hash.xxHash32(etag))) >> 16n);
}

/** Returns whether a row is undamaged. Damage can even change the type of a value that SQLite returns. */
export function isIntactRow(row: CheckedRow): boolean {
  return row.body instanceof Uint8Array && typeof row.etag === "string" && checksumOf(row) === row.checksum;
}
