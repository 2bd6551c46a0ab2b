/**
 * Frees the memory of an array that nothing else refers to. The garbage collector would let a hundred megabytes of
 * bodies pile up after thousands of lookups before it runs.
 */
export function freeBuffer({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
