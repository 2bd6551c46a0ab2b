import { freeBuffer } from "../lib/free-buffer.ts";

/** Each part of a set grows on its own and by a quarter, so that it takes little more memory than it needs. */
const PARTS = 64;
/** A part grows by blocks of equal size: the allocator keeps no remains of smaller ones. */
const BLOCK_BITS = 10;
const BLOCK_SLOTS = 1 << BLOCK_BITS;
const MAX_SLOTS = 1 << 17;
const GROWTH = 1.25;
const MAX_LOAD = 0.85;
const WORD = 0x1_0000_0000;
/** Marks a slot that is taken. The numbers have 47 bits, and an ISBN has 44. */
const TAKEN = 0x8000;

/**
 * A hash set of numbers with open addressing (linear probing), six bytes a slot: 0.4 MB at first, 23 MB for three million
 * numbers. A Bloom filter that is wrong as seldom takes as much memory, and ten probes instead of one or two.
 */
export class NumberSet {
  readonly #maxSlots: number;
  /** The blocks that each part may have. */
  readonly #lows: (Uint32Array | undefined)[];
  /** The upper 15 bits of each number, with `TAKEN`. */
  readonly #highs: (Uint16Array | undefined)[];
  readonly #slots: Uint32Array;
  readonly #counts = new Uint32Array(PARTS);

  /** `maxSlots` is that of a part. */
  constructor(maxSlots = MAX_SLOTS) {
    this.#maxSlots = maxSlots;
    const blocks = Math.ceil((PARTS * maxSlots) / BLOCK_SLOTS);
    this.#lows = new Array(blocks).fill(undefined);
    this.#highs = new Array(blocks).fill(undefined);
    this.#slots = new Uint32Array(PARTS);
    for (let part = 0; part < PARTS; part++) this.#resize(part, Math.min(BLOCK_SLOTS, maxSlots));
  }

  /** Returns whether it may have been added before. */
  add(number: number): boolean {
    const high = Math.floor(number / WORD);
    return this.addWords(number - high * WORD, high);
  }

  /** Is never wrong about a number that was added, and about another one only when its part is full. */
  has(number: number): boolean {
    const high = Math.floor(number / WORD);
    return this.hasWords(number - high * WORD, high);
  }

  /** Adds a number of 47 bits, as two words. */
  addWords(low: number, high: number): boolean {
    const hash = hashOf(low, high);
    const part = hash % PARTS;
    if (this.#needsSlots(part)) {
      if (!this.#mayGrow(part)) return true;
      this.#grow(part);
    }
    if (!this.#put(low, high, hash)) return true;
    this.#counts[part]!++;
    return false;
  }

  hasWords(low: number, high: number): boolean {
    const hash = hashOf(low, high);
    const part = hash % PARTS;
    if (this.#needsSlots(part) && !this.#mayGrow(part)) return true;
    return this.#upperAt(this.#find(low, high, hash)) !== 0;
  }

  /** The set is not used any more. */
  free(): void {
    for (const block of [...this.#lows, ...this.#highs]) if (block) freeBuffer(block);
  }

  #needsSlots(part: number): boolean {
    return this.#counts[part]! >= this.#slots[part]! * MAX_LOAD;
  }

  #mayGrow(part: number): boolean {
    return this.#slots[part]! < this.#maxSlots;
  }

  #grow(part: number): void {
    const count = this.#counts[part]!;
    const [lows, highs] = [new Uint32Array(count), new Uint16Array(count)];
    const slots = this.#slots[part]!;
    const start = part * this.#maxSlots;
    for (let at = start, index = 0; at < start + slots; at++) {
      const upper = this.#upperAt(at);
      if (upper === 0) continue;
      lows[index] = this.#lowAt(at);
      highs[index++] = upper;
      this.#highs[blockOf(at)]![at % BLOCK_SLOTS] = 0;
    }
    this.#resize(part, Math.min(Math.ceil(slots * GROWTH), this.#maxSlots));
    for (let index = 0; index < count; index++) {
      const low = lows[index]!;
      const high = highs[index]!;
      this.#put(low, high, hashOf(low, high));
    }
    freeBuffer(lows);
    freeBuffer(highs);
  }

  /** Returns false when the number was there. */
  #put(low: number, high: number, hash: number): boolean {
    const at = this.#find(low, high, hash);
    if (this.#upperAt(at) !== 0) return false;
    this.#lows[blockOf(at)]![at % BLOCK_SLOTS] = low;
    this.#highs[blockOf(at)]![at % BLOCK_SLOTS] = high | TAKEN;
    return true;
  }

  /** Returns where a number is, or the free place that it would take. */
  #find(low: number, high: number, hash: number): number {
    const word = low >>> 0;
    const upper = (high & 0x7fff) | TAKEN;
    const part = hash % PARTS;
    const start = part * this.#maxSlots;
    const end = start + this.#slots[part]!;
    for (let at = start + Math.floor((hash / WORD) * (end - start)); ; ) {
      const found = this.#upperAt(at);
      if (found === 0 || (found === upper && this.#lowAt(at) === word)) return at;
      at = at + 1 === end ? start : at + 1;
    }
  }

  #lowAt(at: number): number {
    return this.#lows[blockOf(at)]![at % BLOCK_SLOTS]!;
  }

  #upperAt(at: number): number {
    return this.#highs[blockOf(at)]![at % BLOCK_SLOTS]!;
  }

  #resize(part: number, slots: number): void {
    this.#slots[part] = slots;
    const start = part * this.#maxSlots;
    for (let block = blockOf(start); block <= blockOf(start + slots - 1); block++) {
      this.#lows[block] ??= new Uint32Array(BLOCK_SLOTS);
      this.#highs[block] ??= new Uint16Array(BLOCK_SLOTS);
    }
  }
}

function blockOf(at: number): number {
  return at >>> BLOCK_BITS;
}

/** Returns 32 bits: the lowest choose the part, and all of them the slot. */
function hashOf(low: number, high: number): number {
  return mixed(low ^ Math.imul(high & 0x7fff, 0x9e37_79b1));
}

/** Returns 32 bits, of which each depends on all those of the number. The last step of MurmurHash3. */
export function mixed(number: number): number {
  let hash = Math.imul(number ^ (number >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
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
