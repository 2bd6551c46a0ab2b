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
  readonly #layers = [new Layer(FIRST_LAYER_BITS)];

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
