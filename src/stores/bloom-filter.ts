/**
 * Whether a number may have been there before: "no" is certain, "perhaps" is wrong less than once in a million times
 * while there are no more than a million (Bloom, 1970). It takes 8 MB, however many there are.
 */
const BITS = 1 << 26;
const PROBES = 6;

export class BloomFilter {
  readonly #bits = new Uint32Array(BITS / 32);

  /** Remembers the number; true when it may have been there before. */
  add(number: number): boolean {
    const step = stepOf(number);
    let wasThere = true;
    for (let probe = 0, at = startOf(number); probe < PROBES; probe++, at = (at + step) | 0) {
      const bit = at & (BITS - 1);
      const mask = 1 << (bit & 31);
      const word = this.#bits[bit >>> 5]!;
      if ((word & mask) !== 0) continue;
      wasThere = false;
      this.#bits[bit >>> 5] = word | mask;
    }
    return wasThere;
  }

  mayContain(number: number): boolean {
    const step = stepOf(number);
    for (let probe = 0, at = startOf(number); probe < PROBES; probe++, at = (at + step) | 0) {
      const bit = at & (BITS - 1);
      if ((this.#bits[bit >>> 5]! & (1 << (bit & 31))) === 0) return false;
    }
    return true;
  }
}

function startOf(number: number): number {
  return mix(lowOf(number) ^ Math.imul(highOf(number), 0x9e37_79b1));
}

/** Of its own making: two numbers that share one hash of 32 bits do not share both. */
function stepOf(number: number): number {
  return mix(Math.imul(lowOf(number), 0xcc9e_2d51) + highOf(number)) | 1;
}

function lowOf(number: number): number {
  return (number % 0x1_0000_0000) | 0;
}

function highOf(number: number): number {
  return Math.trunc(number / 0x1_0000_0000);
}

/** MurmurHash3's last step: every bit of the result depends on every bit of the number. */
function mix(number: number): number {
  let hash = number;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return hash ^ (hash >>> 16);
}
