/** What is written for an entity or character reference. */
import { escapeText } from "../../xml/markup.ts";
import { decodeReference } from "../../xml/references.ts";
import { type JsonPart, jsonPart } from "./json-output.ts";

/** The JSON bytes of a reference in plain text, and in XHTML, where markup characters stay escaped. */
export interface ReferenceOutput {
  readonly inText: JsonPart;
  readonly inXhtml: JsonPart;
  readonly isWhitespace: boolean;
  /** A carriage return is written as `&#13;` in XHTML, which is not whitespace. */
  readonly isWhitespaceInXhtml: boolean;
}

/** Feeds repeat a few references very often. */
const referenceOutputs = new Map<string, ReferenceOutput>();
const MAX_CACHED_REFERENCES = 10_000;

/** The last reference. Most are like the one before, and comparing bytes takes less time than creating a string. */
const MAX_LAST_BYTES = 8;
const lastName = new Uint8Array(MAX_LAST_BYTES);
let lastLength = -1;
let lastOutput: ReferenceOutput | undefined;

/** Returns the output of the reference whose name is between `&` and `;`. */
export function referenceOutput(input: Uint8Array, from: number, to: number): ReferenceOutput {
  const length = to - from;
  if (length === lastLength && isLastName(input, from)) return lastOutput!;
  const output = outputOfName(String.fromCharCode(...input.subarray(from, to)));
  if (length <= MAX_LAST_BYTES) {
    for (let index = 0; index < length; index++) lastName[index] = input[from + index]!;
    lastLength = length;
    lastOutput = output;
  }
  return output;
}

function isLastName(input: Uint8Array, from: number): boolean {
  for (let index = 0; index < lastLength; index++) if (lastName[index] !== input[from + index]) return false;
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
