/** The element and code tables as typed arrays, so that the scanner works with numbers instead of strings. */
import { codeLists, isCode } from "../code-lists.ts";
import { allElements } from "../element-table.ts";
import { isSingleOrArray } from "../record-fields.ts";

export const COMPOSITE = 0;
const DATA = 1;
const MARKUP = 2;
export const FLAG = 3;

const elements = allElements();
export const ELEMENT_COUNT = elements.length;
const KINDS = { composite: COMPOSITE, data: DATA, markup: MARKUP, flag: FLAG } as const;
const numberByName = new Map(elements.map(({ name }, number) => [name, number]));

/** Returns the number of an element by its reference name. */
export function elementNumber(name: string): number {
  const number = numberByName.get(name);
  if (number === undefined) throw new Error(`${name} is not an element of ONIX 3`);
  return number;
}

export function elementName(number: number): string {
  return elements[number]!.name;
}

export const kindOf = Uint8Array.from(elements, ({ kind }) => KINDS[kind]);

/** `"Name":` by element. */
export const jsonKeyOf: readonly Uint8Array[] = elements.map(({ name }) => bytes(`"${name}":`));
/** `"Name@` by element; the name of an attribute follows. */
export const jsonAttributeKeyOf: readonly Uint8Array[] = elements.map(({ name }) => bytes(`"${name}@`));

/** Per parent and child: 0 when the child is not allowed there, else its order + 1, shifted left by two flag bits. */
const placements = new Uint16Array(ELEMENT_COUNT * ELEMENT_COUNT);
/** Flag bit: the child may repeat. */
export const REPEATS = 1;
/** Flag bit: the child may repeat, but a single one is not an array. */
export const SINGLE_OR_ARRAY_BIT = 2;

elements.forEach((parent, parentNumber) => {
  for (const [name, { order, repeats }] of parent.children) {
    const flags =
      (repeats ? REPEATS : 0) | (repeats && isSingleOrArray(name, parent.name) ? SINGLE_OR_ARRAY_BIT : 0);
    placements[parentNumber * ELEMENT_COUNT + elementNumber(name)] = ((order + 1) << 2) | flags;
  }
});

export function placementOf(parent: number, child: number): number {
  return placements[parent * ELEMENT_COUNT + child]!;
}

/** Maps a-z to 1-26, A-Z to 27-52 and 0-9 to 53-62. Every other byte is 0 and ends a name. */
export const letterCode = new Uint8Array(256);
for (const [index, letter] of [
  ..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
].entries()) {
  letterCode[letter.charCodeAt(0)] = index + 1;
}
/** The letter code of `Z`: names may not begin with a digit. */
export const LAST_LETTER_CODE = 52;

const names = elements.flatMap(({ name, short }, number) => [
  [name, number] as const,
  [short, number] as const,
]);
/** Upper bound of the number of trie nodes. */
export const MAX_NODES = names.reduce((sum, [name]) => sum + name.length, 1);
/** A trie of all reference names and short tags: `trieSteps[node * 64 + letter]` is the next node, 0 for none. */
export const trieSteps = new Uint16Array(MAX_NODES * 64);
/** The element whose name ends at a node; -1 for none. */
export const elementOfNode = new Int16Array(MAX_NODES).fill(-1);
/** All names concatenated. The name that ends at a node goes from `nameStarts[node]` to `nameEnds[node]`. */
export const nameBytes = bytes(names.map(([name]) => name).join(""));
export const nameStarts = new Uint16Array(MAX_NODES);
export const nameEnds = new Uint16Array(MAX_NODES);
let nodeCount = 1;
let nameOffset = 0;
for (const [name, number] of names) {
  let node = 0;
  for (let index = 0; index < name.length; index++) {
    const step = node * 64 + letterCode[name.charCodeAt(index)]!;
    if (trieSteps[step] === 0) trieSteps[step] = nodeCount++;
    node = trieSteps[step]!;
  }
  elementOfNode[node] = number;
  nameStarts[node] = nameOffset;
  nameOffset += name.length;
  nameEnds[node] = nameOffset;
}

/** A packed code has seven bits per character. Six characters stay below 2^53, so that every code is unique. */
const MAX_CODE_LENGTH = 6;

/** The packed codes that an element may have; undefined when any value is allowed. */
export const codesOf: readonly (ReadonlySet<number> | undefined)[] = elements.map(({ lists }) => {
  if (lists.length === 0 || lists.some((list) => isCode(list, "") === undefined)) return undefined;
  const packed = new Set<number>();
  for (const { list, codes } of Object.values(codeLists)) {
    if (!lists.includes(list)) continue;
    for (const [code] of codes) {
      if (code.length <= MAX_CODE_LENGTH) packed.add(packCode(bytes(code), 0, code.length));
    }
  }
  return packed;
});

/** Packs a code into a number. Returns -1 for bytes that cannot be a code. */
export function packCode(from: Uint8Array, start: number, end: number): number {
  if (end - start > MAX_CODE_LENGTH) return -1;
  // Up to four characters fit in a 32-bit integer, which is faster; most codes are not longer.
  let small = 0;
  const middle = end - start > 4 ? start + 4 : end;
  for (let index = start; index < middle; index++) {
    const byte = from[index]!;
    if (byte > 127) return -1;
    small = (small << 7) | byte;
  }
  let number = small;
  for (let index = middle; index < end; index++) {
    const byte = from[index]!;
    if (byte > 127) return -1;
    number = number * 128 + byte;
  }
  return number;
}

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
