/**
 * A Bloom filter of 8 MB: it tells whether a number may have been added before. "No" is certain. "Yes" is wrong less
 * than once in a million times, as long as there are at most a million numbers.
 */
const BITS = 1 << 26;
const PROBES = 6;

export class BloomFilter {
  readonly #bits = new Uint32Array(BITS / 32);

  /** Adds a number. Returns whether it may have been added before. */
  add(number: number): boolean {
    const step = stepOf(number);
    let mayBeKnown = true;
    for (let probe = 0, hash = startOf(number); probe < PROBES; probe++, hash = (hash + step) | 0) {
      const bit = hash & (BITS - 1);
      const mask = 1 << (bit & 31);
      const word = this.#bits[bit >>> 5]!;
      if ((word & mask) !== 0) continue;
      mayBeKnown = false;
      this.#bits[bit >>> 5] = word | mask;
    }
    return mayBeKnown;
  }

  mayContain(number: number): boolean {
    const step = stepOf(number);
    for (let probe = 0, hash = startOf(number); probe < PROBES; probe++, hash = (hash + step) | 0) {
      const bit = hash & (BITS - 1);
      if ((this.#bits[bit >>> 5]! & (1 << (bit & 31))) === 0) return false;
    }
    return true;
  }
}

function startOf(number: number): number {
  return mix(lowWord(number) ^ Math.imul(highWord(number), 0x9e37_79b1));
}

/** Returns a second, independent hash (double hashing): numbers that collide in one do not collide in both. */
function stepOf(number: number): number {
  return mix(Math.imul(lowWord(number), 0xcc9e_2d51) + highWord(number)) | 1;
}

function lowWord(number: number): number {
  return (number % 0x1_0000_0000) | 0;
}

function highWord(number: number): number {
  return Math.trunc(number / 0x1_0000_0000);
}

/** The finalizer of MurmurHash3: every bit of the result depends on every bit of the number. */
function mix(number: number): number {
  let hash = number;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return hash ^ (hash >>> 16);
}
