/** Numbers for the names of attributes. Feeds use a few names again and again. */
import { type JsonPart, jsonPart } from "../record/json-output.ts";

/** Numbers of the names that have a meaning for the reader. */
export const TEXTFORMAT = 0;
export const DATEFORMAT = 1;
export const DATESTAMP = 2;
const KNOWN_NAMES = ["textformat", "dateformat", "datestamp", "language"];

/** Returns the number of such a name. */
export function knownAttribute(name: string): number {
  const number = KNOWN_NAMES.indexOf(name);
  if (number < 0) throw new Error(`${name} is not among the known attributes`);
  return number;
}

const BUCKETS = 64;
/** More names than ONIX has are only kept until the next product. */
const MAX_NAMES = 500;

export class AttributeNames {
  private names: Uint8Array[] = [];
  private parts: JsonPart[] = [];
  private buckets: number[][] = [];
  /** The product that has had each name last. */
  private products: number[] = [];
  private product = 0;
  /** The different names of the current product. */
  count = 0;

  constructor() {
    this.reset();
  }

  numberOf(input: Uint8Array, from: number, to: number): number {
    const bucket = this.buckets[bucketOf(input, from, to)]!;
    for (let index = 0; index < bucket.length; index++) {
      const number = bucket[index]!;
      if (isEqual(this.names[number]!, input, from, to)) return this.counted(number);
    }
    const name = input.slice(from, to);
    const number = this.names.push(name) - 1;
    this.parts.push(jsonPart(Buffer.from(name).toString()));
    bucket.push(number);
    return this.counted(number);
  }

  private counted(number: number): number {
    if (this.products[number] !== this.product) {
      this.products[number] = this.product;
      this.count++;
    }
    return number;
  }

  bytesOf(number: number): Uint8Array {
    return this.names[number]!;
  }

  /** Returns the name as a part of JSON. */
  partOf(number: number): JsonPart {
    return this.parts[number]!;
  }

  /** Begins a product. Bounds the memory that a feed with countless names can use: numbers of other names become invalid. */
  forgetMany(): void {
    if (this.names.length > MAX_NAMES) this.reset();
    this.product++;
    this.count = 0;
  }

  private reset(): void {
    this.names = [];
    this.products = [];
    this.parts = [];
    this.buckets = Array.from({ length: BUCKETS }, () => []);
    for (const name of KNOWN_NAMES) this.numberOf(Buffer.from(name), 0, name.length);
  }
}

function bucketOf(input: Uint8Array, from: number, to: number): number {
  return (to - from + input[from]! * 7 + input[to - 1]! * 13) % BUCKETS;
}

function isEqual(name: Uint8Array, input: Uint8Array, from: number, to: number): boolean {
  if (name.length !== to - from) return false;
  for (let i = 0; i < name.length; i++) if (name[i] !== input[from + i]) return false;
  return true;
}
