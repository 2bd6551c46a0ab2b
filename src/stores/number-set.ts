import { freeBuffer } from "../lib/free-buffer.ts";

/**
 * A hash set of numbers with open addressing (linear probing), six bytes a slot: 0.4 MB at first, 24 MB for three million
 * numbers. A Bloom filter that is wrong as seldom takes more memory, and ten probes instead of one or two.
 */
const FIRST_SLOTS = 1 << 16;
const MAX_SLOTS = 1 << 23;
const MAX_LOAD = 0.85;
const WORD = 0x1_0000_0000;
/** Marks a slot that is taken. The numbers have 47 bits, and an ISBN has 44. */
const TAKEN = 0x8000;

export class NumberSet {
  #low = new Uint32Array(0);
  /** The upper 15 bits of each number, with `TAKEN`. */
  #high = new Uint16Array(0);
  #count = 0;

  constructor(private readonly maxSlots = MAX_SLOTS) {
    this.#resize(Math.min(FIRST_SLOTS, maxSlots));
  }

  /** A full set takes every number for a known one. */
  get isFull(): boolean {
    return this.#count >= this.#low.length * MAX_LOAD;
  }

  /** Returns whether it may have been added before. */
  add(number: number): boolean {
    const high = Math.floor(number / WORD);
    return this.addWords(number - high * WORD, high);
  }

  /** Is never wrong about a number that was added, and about another one only when the set is full. */
  has(number: number): boolean {
    const high = Math.floor(number / WORD);
    return this.hasWords(number - high * WORD, high);
  }

  /** Adds a number of 47 bits, as two words. */
  addWords(low: number, high: number): boolean {
    if (this.isFull) {
      if (this.#low.length >= this.maxSlots) return true;
      this.#resize(this.#low.length * 2);
    }
    const upper = (high & 0x7fff) | TAKEN;
    const slot = this.#find(low, upper);
    if (this.#high[slot] !== 0) return true;
    this.#low[slot] = low;
    this.#high[slot] = upper;
    this.#count++;
    return false;
  }

  hasWords(low: number, high: number): boolean {
    if (this.isFull && this.#low.length >= this.maxSlots) return true;
    return this.#high[this.#find(low, (high & 0x7fff) | TAKEN)] !== 0;
  }

  /** Returns the slot of a number, or the free one that it would take. */
  #find(low: number, upper: number): number {
    const [lows, highs] = [this.#low, this.#high];
    const mask = lows.length - 1;
    const word = low >>> 0;
    let slot = mix(word ^ Math.imul(upper, 0x9e37_79b1)) & mask;
    while (highs[slot] !== 0 && (highs[slot] !== upper || lows[slot] !== word)) slot = (slot + 1) & mask;
    return slot;
  }

  #resize(slots: number): void {
    const [lows, highs] = [this.#low, this.#high];
    this.#low = new Uint32Array(slots);
    this.#high = new Uint16Array(slots);
    for (let index = 0; index < lows.length; index++) {
      if (highs[index] === 0) continue;
      const slot = this.#find(lows[index]!, highs[index]!);
      this.#low[slot] = lows[index]!;
      this.#high[slot] = highs[index]!;
    }
    freeBuffer(lows);
    freeBuffer(highs);
  }

  /** The set is not used any more. */
  free(): void {
    freeBuffer(this.#low);
    freeBuffer(this.#high);
  }
}

/** The last step of MurmurHash3. */
function mix(word: number): number {
  let hash = word;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return hash ^ (hash >>> 16);
}

/**
 * Tells whether a sender's reference may have been added before. "No" is certain. "Yes" is wrong once in 30 imports of
 * three million references, because two of them can have the same hash. An empty reference is none.
 */
export class ReferenceSet {
  readonly #hashes = new NumberSet();
  /** Consecutive references have the same sender. */
  #sender: string | undefined;
  #senderHash = 0;
  /** The hash of the last reference: two words of 32 bits, because a million hashes of one word would collide. */
  #first = 0;
  #second = 0;

  add(sender: string, reference: string): void {
    if (reference === "") return;
    this.#hash(sender, reference);
    this.#hashes.addWords(this.#first, this.#second);
  }

  mayContain(sender: string, reference: string): boolean {
    if (reference === "") return false;
    this.#hash(sender, reference);
    return this.#hashes.hasWords(this.#first, this.#second);
  }

  free(): void {
    this.#hashes.free();
  }

  #hash(sender: string, reference: string): void {
    if (sender !== this.#sender) {
      this.#hashText(sender, 0);
      this.#sender = sender;
      this.#senderHash = this.#first;
    }
    this.#hashText(reference, this.#senderHash);
  }

  /** Computes cyrb53, a hash without cryptographic strength. */
  #hashText(text: string, seed: number): void {
    let first = 0xdead_beef ^ seed;
    let second = 0x41c6_ce57 ^ seed;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      first = Math.imul(first ^ code, 0x9e37_79b1);
      second = Math.imul(second ^ code, 0x5f35_6495);
    }
    first = Math.imul(first ^ (first >>> 16), 0x85eb_ca6b) ^ Math.imul(second ^ (second >>> 13), 0xc2b2_ae35);
    second =
      Math.imul(second ^ (second >>> 16), 0x85eb_ca6b) ^ Math.imul(first ^ (first >>> 13), 0xc2b2_ae35);
    this.#first = first;
    this.#second = second;
  }
}
