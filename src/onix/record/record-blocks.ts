/**
 * Replaces blocks of a record with those of an update, on the JSON bytes: the members are located and copied, and
 * nothing is parsed. Records are compact JSON: objects with at least one member, and no whitespace between tokens.
 */
import { elementByTag } from "../element-table.ts";
import { elementNameOfKey } from "./record-fields.ts";

/** One member of the outermost object: `"key":value`. */
export interface Member {
  /** The name of the element. It is the same for `Name`, `Name@attribute` and `Name#more`. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** The blocks of a product. An update (NotificationType 04) replaces whole blocks. */
const BLOCKS: ReadonlySet<string> = new Set([
  "DescriptiveDetail",
  "CollateralDetail",
  "PromotionDetail",
  "ContentDetail",
  "PublishingDetail",
  "RelatedMaterial",
  "ProductionDetail",
  "ProductSupply",
]);

export const QUOTE = 0x22;
export const COMMA = 0x2c;
const COLON = 0x3a;
export const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
export const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Locates the members of the outermost object. Throws when the bytes are not a compact JSON object. */
export function membersOf(body: Uint8Array): readonly Member[] {
  const members: Member[] = [];
  let position = 0;
  expectByte(body, position, OPENING_BRACE);
  do {
    const from = position + 1;
    expectByte(body, from, QUOTE);
    const keyEnd = endOfString(body, from);
    expectByte(body, keyEnd, COLON);
    position = endOfValue(body, keyEnd + 1);
    members.push({ name: elementNameAt(body, from + 1, keyEnd - 1), from, to: position });
  } while (body[position] === COMMA);
  expectByte(body, position, CLOSING_BRACE);
  return members;
}

export function isBlock(name: string): boolean {
  return BLOCKS.has(name);
}

/** Returns the names of the blocks among the members. */
export function blocksOf(members: readonly Member[]): ReadonlySet<string> {
  const blocks = new Set<string>();
  for (const { name } of members) if (BLOCKS.has(name)) blocks.add(name);
  return blocks;
}

/** Returns the record with the blocks of the update. All that is outside those blocks stays, in the order of ONIX. */
export function replaceBlocks(
  record: Uint8Array,
  recordMembers: readonly Member[],
  update: Uint8Array,
  updateMembers: readonly Member[],
): Uint8Array {
  const replaced = blocksOf(updateMembers);
  const parts: { readonly source: Uint8Array; readonly member: Member; readonly order: number }[] = [];
  let length = 1;
  const add = (source: Uint8Array, member: Member) => {
    length += member.to - member.from + 1;
    parts.push({ source, member, order: orderOf(member.name) });
  };
  for (const member of recordMembers) if (!replaced.has(member.name)) add(record, member);
  for (const member of updateMembers) if (replaced.has(member.name)) add(update, member);
  parts.sort((a, b) => a.order - b.order);
  const body = new Uint8Array(length);
  let position = 0;
  for (const { source, member } of parts) {
    body[position] = position === 0 ? OPENING_BRACE : COMMA;
    body.set(source.subarray(member.from, member.to), position + 1);
    position += member.to - member.from + 1;
  }
  body[position] = CLOSING_BRACE;
  return body;
}

/** Where a member of an object stands in its JSON, with the comma before it. */
interface MemberRange {
  readonly from: number;
  readonly value: number;
  readonly to: number;
}

/** Finds the first member with this key that is not the first of its object. It can be in an object within. */
export function findMember(json: Buffer, key: string, from = 0): MemberRange | undefined {
  const start = json.indexOf(`,"${key}":`, from);
  if (start < 0) return undefined;
  const value = start + key.length + 4;
  return { from: start, value, to: endOfValue(json, value) };
}

/** Returns the bytes of each element with its attributes. They follow each other in a record. */
export function bytesByName(body: Uint8Array, members: readonly Member[]): Map<string, Buffer> {
  const bytes = new Map<string, Buffer>();
  for (let index = 0; index < members.length; index++) {
    const { name, from } = members[index]!;
    while (members[index + 1]?.name === name) index++;
    bytes.set(name, Buffer.from(body.buffer, body.byteOffset + from, members[index]!.to - from));
  }
  return bytes;
}

/**
 * Returns the position of a child of the product in the standard. The id comes first, unknown elements last, and
 * attributes of the product stay after the reference.
 */
function orderOf(name: string): number {
  if (name.startsWith("@")) return ORDERS.get("RecordReference")!;
  return ORDERS.get(name) ?? (name === "_id" ? -1 : UNKNOWN_ORDER);
}

const UNKNOWN_ORDER = 1e6;
const ORDERS: ReadonlyMap<string, number> = new Map(
  [...elementByTag("Product")!.children].map(([name, { order }]) => [name, order]),
);

/** The names of the usual keys by their length, because decoding is slower than comparing. */
const KNOWN_NAMES: { readonly name: string; readonly bytes: Uint8Array }[][] = [];
for (const name of ["_id", ...ORDERS.keys()]) {
  KNOWN_NAMES[name.length] ??= [];
  KNOWN_NAMES[name.length]!.push({ name, bytes: encoder.encode(name) });
}

function elementNameAt(body: Uint8Array, from: number, to: number): string {
  for (const { name, bytes } of KNOWN_NAMES[to - from] ?? []) {
    let index = 0;
    while (index < bytes.length && bytes[index] === body[from + index]) index++;
    if (index === bytes.length) return name;
  }
  return elementNameOfKey(decoder.decode(body.subarray(from, to)));
}

/** Returns the position after the closing quote of the string whose opening quote is at `from`. */
function endOfString(body: Uint8Array, from: number): number {
  const { length } = body;
  for (let position = from + 1; position < length; position++) {
    const byte = body[position]!;
    if (byte === QUOTE) return position + 1;
    if (byte === BACKSLASH) position++;
  }
  throw new SyntaxError("The record ends inside a string.");
}

/**
 * Returns the position after the value that begins at `from`: the comma or brace that follows at the same depth. Strings
 * are skipped without a call, because this loop takes most of the time of an update.
 */
export function endOfValue(body: Uint8Array, from: number): number {
  const { length } = body;
  let depth = 0;
  for (let position = from; position < length; position++) {
    const byte = body[position]!;
    if (byte === QUOTE) {
      const shortEnd = position + SHORT_STRING;
      position++;
      for (let inside = body[position]!; inside !== QUOTE && position < length; inside = body[position]!) {
        position =
          position < shortEnd ? position + (inside === BACKSLASH ? 2 : 1) : closingQuote(body, position);
      }
    } else if (byte >= OPENING_BRACKET) {
      if (byte === OPENING_BRACE || byte === OPENING_BRACKET) depth++;
      else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
        if (depth === 0) return position;
        depth--;
      }
    } else if (byte === COMMA && depth === 0) return position;
  }
  throw new SyntaxError("The record ends inside a value.");
}

/** Longer strings are searched for their end by native code, which takes a tenth of the time but for the call. */
const SHORT_STRING = 40;

/** Returns the position of the quote that ends a string, from a position inside it that no backslash precedes. */
function closingQuote(body: Uint8Array, from: number): number {
  for (let quote = body.indexOf(QUOTE, from); quote >= 0; quote = body.indexOf(QUOTE, quote + 1)) {
    let backslashes = 0;
    while (quote - backslashes > from && body[quote - backslashes - 1] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote;
  }
  return body.length;
}

function expectByte(body: Uint8Array, position: number, byte: number): void {
  if (body[position] === byte) return;
  throw new SyntaxError(`The record has no ${String.fromCharCode(byte)} at byte ${position}.`);
}
