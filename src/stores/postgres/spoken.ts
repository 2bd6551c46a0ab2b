import type { Isbn13 } from "../../onix/isbn.ts";

/** 16 MB: of a million books, one in a hundred thousand is taken for spoken of when it is not. */
const BITS = 2 ** 27;

/**
 * Whether an import may have spoken of a book: a Bloom filter. "No" is certain, and by far the most frequent
 * answer, as a feed has each book once; the memory does not grow with the feed.
 */
export class Spoken {
  readonly #words = new Uint32Array(BITS / 32);

  add(isbn: Isbn13): void {
    for (const bit of placesOf(isbn)) this.#words[bit >>> 5]! |= 1 << (bit & 31);
  }

  mayHave(isbn: Isbn13): boolean {
    return placesOf(isbn).every((bit) => (this.#words[bit >>> 5]! & (1 << (bit & 31))) !== 0);
  }
}

/** Three bits for each: two halves of the number, mixed in two ways, and the sum of both. */
function placesOf(isbn: Isbn13): readonly number[] {
  const number = Number(isbn);
  const [low, high] = [(number % 2 ** 32) | 0, (number / 2 ** 32) | 0];
  const first = mixed(low ^ Math.imul(high, 0x9e3779b1));
  const second = mixed(first ^ 0x5bd1e995);
  return [first & (BITS - 1), second & (BITS - 1), (first + second) & (BITS - 1)];
}

/** The finaliser of MurmurHash3: every bit of the input turns about half of those of the output. */
function mixed(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
