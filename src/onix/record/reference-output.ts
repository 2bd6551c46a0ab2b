/** The text of an entity or character reference in a record. */
import { escapeText } from "../../xml/markup.ts";
import { decodeReference } from "../../xml/references.ts";
import { type JsonPart, jsonPart } from "./json-output.ts";

/** The JSON bytes of a reference in plain text, and in XHTML, where markup characters stay escaped. */
interface ReferenceOutput {
  readonly inText: JsonPart;
  readonly inXhtml: JsonPart;
  readonly isWhitespace: boolean;
  /** A carriage return is written as `&#13;` in XHTML, which is not whitespace. */
  readonly isWhitespaceInXhtml: boolean;
}

/** Feeds repeat a few references very often. */
const referenceOutputs = new Map<string, ReferenceOutput>();
const MAX_CACHED_REFERENCES = 10_000;

/** Recent references by a hash of their names. Comparing bytes takes less time than creating a string. */
const SLOTS = 16;
const MAX_NAME_BYTES = 8;
const recentNames = new Uint8Array(SLOTS * MAX_NAME_BYTES);
const recentLengths = new Int32Array(SLOTS).fill(-1);
const recentOutputs: (ReferenceOutput | undefined)[] = new Array(SLOTS).fill(undefined);

/** Returns the output of the reference whose name is between `&` and `;`. */
export function referenceOutput(input: Uint8Array, from: number, to: number): ReferenceOutput {
  const length = to - from;
  const slot = (input[from]! + length) & (SLOTS - 1);
  if (recentLengths[slot] === length && isRecent(input, from, slot * MAX_NAME_BYTES, length)) {
    return recentOutputs[slot]!;
  }
  const output = outputOfName(String.fromCharCode(...input.subarray(from, to)));
  if (length <= MAX_NAME_BYTES) {
    recentNames.set(input.subarray(from, to), slot * MAX_NAME_BYTES);
    recentLengths[slot] = length;
    recentOutputs[slot] = output;
  }
  return output;
}

function isRecent(input: Uint8Array, from: number, name: number, length: number): boolean {
  for (let index = 0; index < length; index++)
    if (recentNames[name + index] !== input[from + index]) return false;
  return true;
}

function outputOfName(name: string): ReferenceOutput {
  const known = referenceOutputs.get(name);
  if (known) return known;
  const text = decodeReference(name)!;
  const output = {
    inText: jsonPart(escapeForJson(text)),
    inXhtml: jsonPart(escapeForJson(escapeText(text))),
    isWhitespace: /^[ \t\r\n]$/.test(text),
    isWhitespaceInXhtml: /^[ \t\n]$/.test(text),
  };
  if (referenceOutputs.size < MAX_CACHED_REFERENCES) referenceOutputs.set(name, output);
  return output;
}

export function escapeForJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
