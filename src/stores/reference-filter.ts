import { BloomFilter } from "./bloom-filter.ts";

/** Tells whether a sender's reference may have been added before. "No" is certain; see `BloomFilter`. */
export class ReferenceFilter {
  readonly #filter = new BloomFilter();
  /** Consecutive records have the same sender. */
  #lastSender = "";
  #lastSenderHash = hashText("", 0);

  add(sender: string, reference: string): void {
    this.#filter.add(hashText(reference, this.#hashOf(sender)));
  }

  mayContain(sender: string, reference: string): boolean {
    return this.#filter.mayContain(hashText(reference, this.#hashOf(sender)));
  }

  #hashOf(sender: string): number {
    if (sender !== this.#lastSender) {
      this.#lastSender = sender;
      this.#lastSenderHash = hashText(sender, 0);
    }
    return this.#lastSenderHash;
  }
}

/** Returns a hash of 53 bits (cyrb53): with 32 bits, a million references would collide with each other. */
function hashText(text: string, seed: number): number {
  let first = 0xdead_beef ^ seed;
  let second = 0x41c6_ce57 ^ seed;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    first = Math.imul(first ^ code, 0x9e37_79b1);
    second = Math.imul(second ^ code, 0x5f35_6495);
  }
  first = Math.imul(first ^ (first >>> 16), 0x85eb_ca6b) ^ Math.imul(second ^ (second >>> 13), 0xc2b2_ae35);
  second = Math.imul(second ^ (second >>> 16), 0x85eb_ca6b) ^ Math.imul(first ^ (first >>> 13), 0xc2b2_ae35);
  return 0x1_0000_0000 * (second & 0x1f_ffff) + (first >>> 0);
}
