/** Compares the tokenizer with the oracle. */
import type { Reading } from "./reading.ts";
import { defectOfSaxes, readWithSaxes } from "./saxes-oracle.ts";
import { readInChunks, readWithTokenizer } from "./tokenizer-reading.ts";

/** Returns how the tokenizer and the oracle differ on a document; undefined when they agree. */
export function differenceFromOracle(text: string): string | undefined {
  if (defectOfSaxes(text) !== undefined) return undefined;
  const [expected, found] = [readWithSaxes(text), readWithTokenizer(new TextEncoder().encode(text))];
  return isErrorOfDtd(text, expected, found) ? undefined : difference(expected, found);
}

/** Texts of errors that a DTD can have, among others. */
const DTD_ERROR = /in the DTD|processing instruction|XML declaration|reference|not a character of XML/;

/** saxes only looks for the end of a DTD. An error that the tokenizer finds in one is none for saxes, or comes later. */
function isErrorOfDtd(text: string, expected: Reading, { events, error }: Reading): boolean {
  if (error === undefined || !DTD_ERROR.test(error.reason)) return false;
  const hasEnded = events.some((event) => event.startsWith("<!DOCTYPE"));
  if (hasEnded || !text.includes("<!DOCTYPE")) return false;
  const isLater =
    expected.error === undefined ||
    expected.error.line > error.line ||
    (expected.error.line === error.line && expected.error.column >= error.column);
  return isLater && events.every((event, index) => event === expected.events[index]);
}

/** Returns how reading in chunks of this size differs from reading the whole document; undefined when it does not. */
export function differenceInChunks(text: string, chunkBytes: number): string | undefined {
  const bytes = new TextEncoder().encode(text);
  const [whole, inChunks] = [readWithTokenizer(bytes), readInChunks(bytes, chunkBytes)];
  return whole.error?.reason === inChunks.error?.reason
    ? difference(whole, inChunks)
    : `${whole.error?.reason}\n${inChunks.error?.reason}`;
}

/** Returns how reading without layout differs, but for whitespace in texts; undefined when it does not. */
export function differenceWithoutLayout(text: string): string | undefined {
  const bytes = new TextEncoder().encode(text);
  return difference(
    withoutWhitespace(readWithTokenizer(bytes)),
    withoutWhitespace(readWithTokenizer(bytes, true)),
  );
}

/** Texts are quoted, and tags are not. */
function withoutWhitespace({ events, error }: Reading): Reading {
  const changed = events.map((event) => (event.startsWith('"') ? event.replace(/ |\\[nrt]/g, "") : event));
  return { events: changed.filter((event) => event !== '""'), error };
}

/** Compares the events, and where the document is rejected. The reasons are in other words. */
function difference(expected: Reading, found: Reading): string | undefined {
  const [place, foundPlace] = [placeOf(expected), placeOf(found)];
  if (place !== foundPlace) {
    return `expected ${place} ${expected.error?.reason}\nfound ${foundPlace} ${found.error?.reason}`;
  }
  const length = Math.max(expected.events.length, found.events.length);
  for (let index = 0; index < length; index++) {
    if (expected.events[index] !== found.events[index]) {
      return `event ${index}: expected ${expected.events[index]}\nfound ${found.events[index]}`;
    }
  }
  return undefined;
}

function placeOf({ error }: Reading): string {
  return error === undefined ? "no error" : `error at ${error.line}:${error.column}`;
}
