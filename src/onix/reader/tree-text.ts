/** Decodes the text of an element of the tree. */

import { JsonOutput } from "../record/json-output.ts";
import { TextWriter } from "../record/text-writer.ts";
import { type ElementTree, IS_PLAIN, IS_PLAIN_TEXT } from "./element-tree.ts";

const scratch = new JsonOutput();
const scratchWriter = new TextWriter(scratch);

/** Returns the text as it is in the record: trimmed, with references resolved, XHTML as markup. */
export function textOf(tree: ElementTree, node: number): string {
  const child = node + 1;
  if (tree.next[node] === child) return "";
  if ((tree.flags[node]! & IS_PLAIN_TEXT) !== 0) {
    const { input } = tree;
    let from = tree.from[child]!;
    let to = tree.to[child]!;
    while (from < to && input[from] === 0x20) from++;
    while (to > from && input[to - 1] === 0x20) to--;
    if (to - from <= MAX_CACHED_BYTES) return decodeShort(input, from, to);
    // Names and titles are read several times: for the summary, and for the words of the search.
    const text = tree.texts[node] ?? input.toString("utf8", from, to);
    tree.texts[node] = text;
    if (to - from > MIN_LITERAL_BYTES) {
      const { literal } = tree;
      literal.text = text;
      literal.from = from;
      literal.to = to;
    }
    return text;
  }
  scratch.end = 0;
  scratchWriter.write(tree, node);
  return scratchText();
}

/** Returns the content of a flag, which should have none, as the record has it. */
export function markupOf(tree: ElementTree, node: number): string {
  if (tree.next[node] === node + 1) return "";
  scratch.end = 0;
  scratchWriter.writeMarkup(tree, node);
  return scratchText();
}

/** Returns the value of an attribute, or undefined when the element does not have it. */
export function attributeText(tree: ElementTree, node: number, name: number): string | undefined {
  const attribute = tree.attributeOf(node, name);
  if (attribute < 0) return undefined;
  if (tree.attributeFlags[attribute] === IS_PLAIN) {
    return decode(tree.input, tree.attributeFrom[attribute]!, tree.attributeTo[attribute]!);
  }
  scratch.end = 0;
  scratchWriter.writeAttribute(tree, attribute);
  return scratchText();
}

function scratchText(): string {
  return jsonText(scratch.bytes, 1, scratch.end - 1);
}

/** Returns the text of a JSON string by its bytes between the quotes. Most have no escapes, and need no parser. */
export function jsonText(bytes: Buffer, from: number, to: number): string {
  const content = bytes.toString("utf8", from, to);
  return content.includes("\\") ? JSON.parse(`"${content}"`) : content;
}

/** Strings of two ASCII characters by their bytes. Most codes have two characters, so each is created only once. */
const pairs: string[] = [];

/** Other short texts of ASCII characters, by a hash of their bytes: codes, amounts and days repeat, too. */
const MAX_CACHED_BYTES = 8;
/** The bytes of a longer text are worth remembering. */
const MIN_LITERAL_BYTES = 200;
const CACHE_SLOTS = 4096;
const shortTexts: string[] = new Array(CACHE_SLOTS).fill("");

function decode(input: Buffer, from: number, to: number): string {
  return to - from > MAX_CACHED_BYTES ? input.toString("utf8", from, to) : decodeShort(input, from, to);
}

function decodeShort(input: Buffer, from: number, to: number): string {
  const length = to - from;
  if (length === 2 && input[from]! < 128 && input[from + 1]! < 128) {
    const pair = (input[from]! << 7) | input[from + 1]!;
    pairs[pair] ??= String.fromCharCode(input[from]!, input[from + 1]!);
    return pairs[pair];
  }
  let hash = length;
  let bits = 0;
  for (let offset = from; offset < to; offset++) {
    const byte = input[offset]!;
    hash = (Math.imul(hash, 31) + byte) | 0;
    bits |= byte;
  }
  if (bits >= 128) return input.toString("utf8", from, to);
  const slot = (hash ^ (hash >>> 12)) & (CACHE_SLOTS - 1);
  const cached = shortTexts[slot]!;
  if (isText(cached, input, from, length)) return cached;
  const text = input.toString("latin1", from, to);
  shortTexts[slot] = text;
  return text;
}

function isText(text: string, input: Uint8Array, from: number, length: number): boolean {
  if (text.length !== length) return false;
  for (let index = 0; index < length; index++)
    if (text.charCodeAt(index) !== input[from + index]) return false;
  return true;
}
