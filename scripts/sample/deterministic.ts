/** Choices and identifiers that depend on their arguments only: the catalog has the same bytes in every run. */

import { createHash } from "node:crypto";
import { completeIsbn13, type Isbn13 } from "../../src/onix/isbn.ts";

/** Returns an invented ISBN in a range that no agency has assigned: 978-99999 or 979-7. */
export function inventIsbn(prefix: "978" | "979", imprintCode: string, item: number): Isbn13 {
  const suffix = `${imprintCode}${String(item).padStart(2, "0")}`;
  return completeIsbn13(prefix === "978" ? `97899999${suffix}` : `97979999${suffix}`);
}

const UUID_NAMESPACE = Buffer.from("c01090a05a3b5e9c8d4e0f5a3d1e7b42", "hex");

/** Returns the UUID of a name (version 5, RFC 9562 §5.5). */
export function uuid(name: string): string {
  const bytes = createHash("sha1").update(UUID_NAMESPACE).update(name).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Returns a number from 0 to 1, always the same for the same keys. A renamed key changes the catalog. */
export function chance(...keys: string[]): number {
  const hash = createHash("sha1").update(keys.join("\n")).digest();
  return hash.readUInt32BE(0) / 2 ** 32;
}

/** Returns one of the choices, selected by a number from 0 to 1. */
export function pick<T>(choices: readonly T[], chance: number): T {
  return choices[Math.min(choices.length - 1, Math.floor(chance * choices.length))]!;
}
