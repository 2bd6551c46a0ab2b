/**
 * A Bloom filter that tells whether a number may have been added before. "No" is certain. "Yes" is wrong less than once
 * in 100 million times, as long as there are at most 7 million numbers. It begins with 8 MB, and grows to 56 MB: a full
 * layer gets a larger one beside it.
 */
const FIRST_LAYER_BITS = 1 << 26;
const MAX_LAYERS = 3;
const PROBES = 10;
/** A full layer takes another number for a known one 4 times in a billion: (1 - e^(-10/64))^10. */
const BITS_PER_NUMBER = 64;
const WORD = 0x1_0000_0000;

export class BloomFilter {
  readonly #layers: Layer[];

  /** `firstLayerBits` is a power of 2. */
  constructor(firstLayerBits = FIRST_LAYER_BITS) {
    this.#layers = [new Layer(firstLayerBits)];
  }

  /** Adds a number. Returns whether it may have been added before. */
  add(number: number): boolean {
    const high = Math.floor(number / WORD);
    return this.addWords(number - high * WORD, high);
  }

  mayContain(number: number): boolean {
    const high = Math.floor(number / WORD);
    return this.mayContainWords(number - high * WORD, high);
  }

  /** Adds a number of 64 bits, as two words of 32 bits. Returns whether it may have been added before. */
  addWords(low: number, high: number): boolean {
    if (this.mayContainWords(low, high)) return true;
    let last = this.#layers.at(-1)!;
    if (last.isFull && this.#layers.length < MAX_LAYERS) {
      last = new Layer(last.bits * 2);
      this.#layers.push(last);
    }
    last.add(startOf(low, high), stepOf(low, high));
    return false;
  }

  mayContainWords(low: number, high: number): boolean {
    const start = startOf(low, high);
    const step = stepOf(low, high);
    for (const layer of this.#layers) if (layer.mayContain(start, step)) return true;
    return false;
  }
}

/**
 * One Bloom filter of a fixed size, with enhanced double hashing (Dillinger and Manolios 2004): the steps between the
 * hashes of a number grow, so that those of two numbers do not run into each other.
 */
class Layer {
  readonly #words: Uint32Array;
  #count = 0;

  constructor(readonly bits: number) {
    this.#words = new Uint32Array(bits / 32);
  }

  get isFull(): boolean {
    return this.#count >= this.bits / BITS_PER_NUMBER;
  }

  add(start: number, step: number): void {
    this.#count++;
    let hash = start;
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = hash & (this.bits - 1);
      this.#words[bit >>> 5]! |= 1 << (bit & 31);
      hash = (hash + step + probe * probe) | 0;
    }
  }

  mayContain(start: number, step: number): boolean {
    let hash = start;
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = hash & (this.bits - 1);
      if ((this.#words[bit >>> 5]! & (1 << (bit & 31))) === 0) return false;
      hash = (hash + step + probe * probe) | 0;
    }
    return true;
  }
}

function startOf(low: number, high: number): number {
  return mix(low ^ Math.imul(high, 0x9e37_79b1));
}

/** Returns a second, independent hash (double hashing): numbers that collide in one do not collide in both. */
function stepOf(low: number, high: number): number {
  return mix(Math.imul(low, 0xcc9e_2d51) + high) | 1;
}

/** The finalizer of MurmurHash3: every bit of the result depends on every bit of the number. */
function mix(number: number): number {
  let hash = number;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return hash ^ (hash >>> 16);
}

/** Tells whether a sender's reference may have been added before. "No" is certain; see `BloomFilter`. */
export class ReferenceFilter {
  readonly #filter = new BloomFilter();
  /** Consecutive references have the same sender. */
  #sender: string | undefined;
  #senderHash = 0;
  /** The hash of the last reference: two words of 32 bits, because a million hashes of one word would collide. */
  #first = 0;
  #second = 0;

  add(sender: string, reference: string): void {
    this.#hash(sender, reference);
    this.#filter.addWords(this.#first, this.#second);
  }

  mayContain(sender: string, reference: string): boolean {
    this.#hash(sender, reference);
    return this.#filter.mayContainWords(this.#first, this.#second);
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
