/**
 * Frees the memory of an array that nothing else refers to, such as the body of a record that was copied into a list.
 * The garbage collector alone lets such bodies pile up. Peak memory of `serve` with 20,000 books of 4 kB, in MB:
 *
 * | load | freed | left to the collector |
 * |---|---|---|
 * | 100 ISBNs in each request: the start of a list (`json-array.ts`) | 93 to 104 | 132 to 182 |
 * | 50 ISBNs in each request, without sockets: bodies that are sent whole (`body.ts`, `responder.ts`) | 86 to 88 | 123 to 125 |
 * | lists in JSON, 10,000 books: bodies that are joined (`json-array.ts`) | 115 to 121 | 136 |
 * | lists in NDJSON: bodies that are converted (`formatted-result.ts`) | 117 | 141 to 147 |
 * | pages of changes: bodies that are joined (`changes/body.ts`) | 118 | 134 to 138 |
 * | lists and lookups beside imports: lists that the cache drops (`dropped-bodies.ts`) | 132 | 158 |
 * | all of these, 500 slow readers beside lookups | 140 | 313 |
 * | random lookups: single records, and short responses that the cache drops (`delayed-free.ts`) | 163 to 183 | 234 |
 *
 * Copies of what a client has not read yet are left to the collector. Freeing them saved less than a tenth.
 */
export function freeBuffer({ buffer, byteLength }: NodeJS.TypedArray): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
