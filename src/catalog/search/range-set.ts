/** A set of byte ranges of one buffer, compared by their content: an open-addressing hash table that is cleared at once. */

/** The numbers of a slot: the generation that filled it, the hash, and the range. */
const SLOT_NUMBERS = 4;
const MIN_SLOTS = 256;
/** A feed cannot contain texts that all have the same hash, because it does not know this number. */
const SEED = Math.floor(Math.random() * 0x8000_0000);

export class RangeSet {
  #slots = new Int32Array(MIN_SLOTS * SLOT_NUMBERS);
  #mask = MIN_SLOTS - 1;
  #generation = 1;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  clear(): void {
    this.#size = 0;
    if (this.#generation++ < 0x7fff_ffff) return;
    this.#slots.fill(0);
    this.#generation = 1;
  }

  /** Adds a range. Returns false when the set has one with the same bytes. All ranges must be in this buffer. */
  add(bytes: Uint8Array, start: number, end: number): boolean {
    let hash = SEED;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x0100_0193);
    hash ^= hash >>> 15;
    const slots = this.#slots;
    const generation = this.#generation;
    let slot = hash & this.#mask;
    for (; slots[slot * SLOT_NUMBERS] === generation; slot = (slot + 1) & this.#mask) {
      const at = slot * SLOT_NUMBERS;
      if (slots[at + 1] !== hash || slots[at + 3]! - slots[at + 2]! !== end - start) continue;
      if (isEqual(bytes, slots[at + 2]!, start, end)) return false;
    }
    this.#put(slot * SLOT_NUMBERS, hash, start, end);
    if (++this.#size * 2 > this.#mask) this.#grow();
    return true;
  }

  #put(at: number, hash: number, start: number, end: number): void {
    const slots = this.#slots;
    slots[at] = this.#generation;
    slots[at + 1] = hash;
    slots[at + 2] = start;
    slots[at + 3] = end;
  }

  #grow(): void {
    const before = this.#slots;
    this.#mask = this.#mask * 2 + 1;
    this.#slots = new Int32Array((this.#mask + 1) * SLOT_NUMBERS);
    for (let from = 0; from < before.length; from += SLOT_NUMBERS) {
      if (before[from] !== this.#generation) continue;
      let slot = before[from + 1]! & this.#mask;
      while (this.#slots[slot * SLOT_NUMBERS] === this.#generation) slot = (slot + 1) & this.#mask;
      this.#put(slot * SLOT_NUMBERS, before[from + 1]!, before[from + 2]!, before[from + 3]!);
    }
  }
}

function isEqual(bytes: Uint8Array, other: number, start: number, end: number): boolean {
  for (let at = start, from = other; at < end; at++, from++) if (bytes[at] !== bytes[from]) return false;
  return true;
}
