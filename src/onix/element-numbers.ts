/** The element table as typed arrays: the reader works with the numbers of elements instead of their names. */
import { codesOfList, isCode } from "./code-lists.ts";
import { allElements } from "./element-table.ts";
import { isSingleOrArray } from "./record/record-fields.ts";

const elements = allElements();
export const ELEMENT_COUNT = elements.length;
const numberByName = new Map(elements.map(({ name }, number) => [name, number]));

export function elementNumber(name: string): number {
  const number = numberByName.get(name);
  if (number === undefined) throw new Error(`${name} is not an element of ONIX 3`);
  return number;
}

export function elementName(number: number): string {
  return elements[number]!.name;
}

const elementTags = elements.flatMap(({ name, short }) => [name, short]);
/** Names that occur in texts. The tokenizer finds a name faster when it knows it. */
const XHTML_NAMES = "p br b i em strong span div ul ol li a".split(" ");

/** The names that the tokenizer knows: all reference names and short tags, and those of XHTML. */
export const knownNames: readonly string[] = [...elementTags, ...XHTML_NAMES];
/** The number of the element of each known name; -1 for a name of XHTML. */
export const elementOfSymbol = Int16Array.from(knownNames, (_, symbol) =>
  symbol < elementTags.length ? symbol >> 1 : -1,
);

/** Reference names have even symbols. */
export function isShortTag(symbol: number): boolean {
  return (symbol & 1) === 1;
}

export const COMPOSITE = 0;
export const DATA = 1;
export const MARKUP = 2;
export const FLAG = 3;
const KINDS = { composite: COMPOSITE, data: DATA, markup: MARKUP, flag: FLAG } as const;
/** COMPOSITE, DATA, MARKUP or FLAG, by element. */
export const elementKind = Uint8Array.from(elements, ({ kind }) => KINDS[kind]);

/** Flag bit of a placement: the child may repeat. */
export const REPEATS = 1;
/** Flag bit of a placement: the child may repeat, but a single one is not an array. */
export const SINGLE_OR_ARRAY_BIT = 2;

/** A hash table of children for each parent: `firstSlot`, a power of two minus one, and slots of child and placement. */
const firstSlot = new Uint16Array(ELEMENT_COUNT);
const slotMask = new Uint16Array(ELEMENT_COUNT);
const slotChildren: number[] = [];
const slotPlacements: number[] = [];
elements.forEach((parent, parentNumber) => {
  let slots = 1;
  while (slots < parent.children.size * 2) slots *= 2;
  const first = slotChildren.length;
  firstSlot[parentNumber] = first;
  slotMask[parentNumber] = slots - 1;
  for (let slot = 0; slot < slots; slot++) {
    slotChildren.push(-1);
    slotPlacements.push(0);
  }
  for (const [name, { order, repeats }] of parent.children) {
    const child = elementNumber(name);
    let slot = child & (slots - 1);
    while (slotChildren[first + slot] !== -1) slot = (slot + 1) & (slots - 1);
    const flags =
      (repeats ? REPEATS : 0) | (repeats && isSingleOrArray(name, parent.name) ? SINGLE_OR_ARRAY_BIT : 0);
    slotChildren[first + slot] = child;
    slotPlacements[first + slot] = ((order + 1) << 2) | flags;
  }
});
const childOfSlot = Int16Array.from(slotChildren);
const placementOfSlot = Uint16Array.from(slotPlacements);

/**
 * Returns 0 when the child is not allowed in this parent, else its order + 1, shifted left by two flag bits. Placements
 * ascend in the order of the standard.
 */
export function placementOf(parent: number, child: number): number {
  const first = firstSlot[parent]!;
  const mask = slotMask[parent]!;
  for (let slot = child & mask; ; slot = (slot + 1) & mask) {
    const found = childOfSlot[first + slot]!;
    if (found === child) return placementOfSlot[first + slot]!;
    if (found < 0) return 0;
  }
}

/** A packed code has seven bits per character. Six characters stay below 2^53, so that every code is unique. */
const MAX_CODE_LENGTH = 6;
const MAX_SHOWN_CODE = 40;

/** The packed codes that an element may have; undefined when any value is allowed. */
export const codesOf: readonly (ReadonlySet<number> | undefined)[] = elements.map(({ lists }) => {
  if (lists.length === 0 || lists.some((list) => isCode(list, "") === undefined)) return undefined;
  const packed = new Set<number>();
  for (const code of lists.flatMap(codesOfList)) {
    if (code.length <= MAX_CODE_LENGTH) packed.add(packCode(Buffer.from(code), 0, code.length));
  }
  // Some lists have no codes yet (88): any value is allowed.
  return packed.size > 0 ? packed : undefined;
});

/** The list of the codes of an element that has several, with space between them; 0 for the others. */
export const listOfCodes = new Uint8Array(ELEMENT_COUNT);
for (const part of ["Included", "Excluded"]) {
  listOfCodes[elementNumber(`Countries${part}`)] = 91;
  listOfCodes[elementNumber(`Regions${part}`)] = 49;
}

export function codeListsOf(element: number): readonly number[] {
  return elements[element]!.lists;
}

/** Says, in one sentence, that a code is not in the lists of its element. */
export function describeUnknownCode(element: number, code: string, lists = codeListsOf(element)): string {
  const where = lists.length > 1 ? `lists ${lists.join(" and ")}` : `list ${lists[0]}`;
  const shown = code.length > MAX_SHOWN_CODE ? `${code.slice(0, MAX_SHOWN_CODE)}…` : code;
  return `${elementName(element)} has the code "${shown}", which is not in ${where}.`;
}

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
