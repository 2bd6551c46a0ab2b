import { BloomFilter } from "./bloom-filter.ts";

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
