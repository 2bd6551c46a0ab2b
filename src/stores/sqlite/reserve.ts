/**
 * Space that is held in reserve beside a catalog: when the disk is full, a token can still be revoked, because that may
 * be when it has to be.
 */
import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { freeBytesAt } from "./disk-space.ts";

/** A revocation writes some pages to a log, and SQLite creates the indexes of two logs of 32 kB. */
const RESERVE_BYTES = 1024 * 1024;

const reservePath = (catalog: string) => `${catalog}.reserve`;

/** Does nothing when there is one, or no space for it. */
export function holdReserve(catalog: string): void {
  const path = reservePath(catalog);
  if (statSync(path, { throwIfNoEntry: false })?.size === RESERVE_BYTES) return;
  try {
    if (freeBytesAt(catalog) < 4 * RESERVE_BYTES) return;
    const file = openSync(path, "w", 0o600);
    try {
      writeSync(file, new Uint8Array(RESERVE_BYTES));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch {
    // The disk is full or read-only. It is tried again with the next token.
    rmSync(path, { force: true });
  }
}

/** Returns whether the disk is full, and the reserve was there and is now free. */
export function releaseReserve(catalog: string): boolean {
  const isThere = statSync(reservePath(catalog), { throwIfNoEntry: false }) !== undefined;
  if (!isThere || freeBytesAt(catalog) >= RESERVE_BYTES) return false;
  rmSync(reservePath(catalog), { force: true });
  return true;
}
