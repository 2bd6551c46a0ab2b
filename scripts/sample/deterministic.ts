/** Identifiers and dice, all made from their input alone. */

import { createHash } from "node:crypto";

function checkDigit13(digits: string): string {
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 ? 3 : 1), 0);
  return String((10 - (sum % 10)) % 10);
}

/** An invented ISBN-13 of a range that no agency has assigned: 978-99999 or 979-7. */
export function inventIsbn(prefix: "978" | "979", imprint: string, item: number): string {
  const tail = `${imprint}${String(item).padStart(2, "0")}`;
  const digits = prefix === "978" ? `97899999${tail}` : `97979999${tail}`;
  return digits + checkDigit13(digits);
}

/** The ISBN-10 of an ISBN-13 that begins with 978. */
export function isbn10(isbn13: string): string {
  const digits = isbn13.slice(3, 12);
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (10 - index), 0);
  const check = (11 - (sum % 11)) % 11;
  return digits + (check === 10 ? "X" : check);
}

const NAMESPACE = Buffer.from("c01090a05a3b5e9c8d4e0f5a3d1e7b42", "hex");

/** A UUID of version 5. */
export function uuid(name: string): string {
  const bytes = createHash("sha1").update(NAMESPACE).update(name).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** A number from 0 to 1, always the same for the same words. */
export function chance(...words: string[]): number {
  const hash = createHash("sha1").update(words.join("\n")).digest();
  return hash.readUInt32BE(0) / 2 ** 32;
}

/** One of the choices, by a number from 0 to 1. */
export function pick<T>(choices: readonly T[], at: number): T {
  return choices[Math.min(choices.length - 1, Math.floor(at * choices.length))]!;
}
