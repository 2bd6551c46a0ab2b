/** The table of the standard in the form that a scanner of bytes wants: numbers for names, and no look-up of strings. */
import { codeLists, isCode } from "../codes.ts";
import { allElements } from "../element-table.ts";
import { isOneOrMany } from "../fields.ts";

export const COMPOSITE = 0;
export const DATA = 1;
export const MARKUP = 2;
export const FLAG = 3;

const elements = allElements();
export const COUNT = elements.length;
const KINDS = { composite: COMPOSITE, data: DATA, markup: MARKUP, flag: FLAG } as const;
const numbers = new Map(elements.map(({ name }, number) => [name, number]));

/** The number of an element. */
export function numberOf(name: string): number {
  const number = numbers.get(name);
  if (number === undefined) throw new Error(`${name} is no element of ONIX 3`);
  return number;
}

export function nameOf(number: number): string {
  return elements[number]!.name;
}

export const kindOf = Uint8Array.from(elements, ({ kind }) => KINDS[kind]);

/** `"Name":` */
export const keyOf: readonly Uint8Array[] = elements.map(({ name }) => bytes(`"${name}":`));
/** `"Name@`, which the name of an attribute follows. */
export const attributeKeyOf: readonly Uint8Array[] = elements.map(({ name }) => bytes(`"${name}@`));

/** How a child stands in its parent: 0 where it has no place, else its order + 1 above two bits. */
const places = new Uint16Array(COUNT * COUNT);
export const REPEATS = 1;
/** It may repeat, but one of it is no array. */
export const ONE = 2;

elements.forEach((parent, at) => {
  for (const [name, { order, repeats }] of parent.children) {
    const bits = (repeats ? REPEATS : 0) | (repeats && isOneOrMany(name, parent.name) ? ONE : 0);
    places[at * COUNT + numberOf(name)] = ((order + 1) << 2) | bits;
  }
});

export function placeOf(parent: number, child: number): number {
  return places[parent * COUNT + child]!;
}

/** Letters and digits of names as 1 to 62; everything else is 0, and ends a name. */
export const letterOf = new Uint8Array(256);
for (const [at, letter] of [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"].entries()) {
  letterOf[letter.charCodeAt(0)] = at + 1;
}

/** A tree of all reference names and short tags: `steps[node * 64 + letter]` is the next node, 0 for none. */
const names = elements.flatMap(({ name, short }, number) => [
  [name, number] as const,
  [short, number] as const,
]);
/** Of the tree: more than it has nodes. */
export const SIZE = names.reduce((sum, [name]) => sum + name.length, 1);
export const steps = new Uint16Array(SIZE * 64);
/** The element whose name ends at a node; -1 for none. */
export const elementAt = new Int16Array(SIZE).fill(-1);
/** All names, one behind the other; that of a node from `spelledFrom` to `spelledTo`. */
export const spelled = bytes(names.map(([name]) => name).join(""));
export const spelledFrom = new Uint16Array(SIZE);
export const spelledTo = new Uint16Array(SIZE);
let nodes = 1;
let letters = 0;
for (const [name, number] of names) {
  let node = 0;
  for (let at = 0; at < name.length; at++) {
    const step = node * 64 + letterOf[name.charCodeAt(at)]!;
    if (steps[step] === 0) steps[step] = nodes++;
    node = steps[step]!;
  }
  elementAt[node] = number;
  spelledFrom[node] = letters;
  letters += name.length;
  spelledTo[node] = letters;
}

/** Seven bits of each character, six characters: below 2^53, and no two codes are the same number. */
const LONGEST_CODE = 6;

/** For coded elements, their codes as numbers; undefined where any value is right. */
export const codesOf: readonly (ReadonlySet<number> | undefined)[] = elements.map(({ lists }) => {
  if (lists.length === 0 || lists.some((list) => isCode(list, "") === undefined)) return undefined;
  const packed = new Set<number>();
  for (const { list, codes } of Object.values(codeLists)) {
    if (!lists.includes(list)) continue;
    for (const [code] of codes) if (code.length <= LONGEST_CODE) packed.add(packText(code));
  }
  return packed;
});

function packText(code: string): number {
  return pack(bytes(code), 0, code.length);
}

/** A code as a number; -1 for what cannot be one. */
export function pack(from: Uint8Array, start: number, end: number): number {
  if (end - start > LONGEST_CODE) return -1;
  // Four characters, which most codes do not even have, are a small number to the machine.
  let small = 0;
  const middle = end - start > 4 ? start + 4 : end;
  for (let at = start; at < middle; at++) {
    const byte = from[at]!;
    if (byte > 127) return -1;
    small = (small << 7) | byte;
  }
  let number = small;
  for (let at = middle; at < end; at++) {
    const byte = from[at]!;
    if (byte > 127) return -1;
    number = number * 128 + byte;
  }
  return number;
}

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
