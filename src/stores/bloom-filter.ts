/**
 * A Bloom filter of 8 MB: it tells whether a number may have been added before. "No" is certain. "Yes" is wrong less
 * than once in a million times, as long as there are at most a million numbers.
 */
const BITS = 1 << 26;
const PROBES = 6;
const WORD = 0x1_0000_0000;

export class BloomFilter {
  readonly #bits = new Uint32Array(BITS / 32);

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
    const step = stepOf(low, high);
    let mayBeKnown = true;
    for (let probe = 0, hash = startOf(low, high); probe < PROBES; probe++, hash = (hash + step) | 0) {
      if (this.#isSet(hash)) continue;
      mayBeKnown = false;
      const bit = hash & (BITS - 1);
      this.#bits[bit >>> 5]! |= 1 << (bit & 31);
    }
    return mayBeKnown;
  }

  mayContainWords(low: number, high: number): boolean {
    let hash = startOf(low, high);
    // The first probe tells most unknown numbers apart.
    if (!this.#isSet(hash)) return false;
    const step = stepOf(low, high);
    for (let probe = 1; probe < PROBES; probe++) {
      hash = (hash + step) | 0;
      if (!this.#isSet(hash)) return false;
    }
    return true;
  }

  #isSet(hash: number): boolean {
    const bit = hash & (BITS - 1);
    return (this.#bits[bit >>> 5]! & (1 << (bit & 31))) !== 0;
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
