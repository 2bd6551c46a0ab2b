/**
 * Gives memory back that nobody else has a hold of: the collector would let a hundred megabytes and more gather before
 * it looks at what thousands of lookups, or hundreds of readers, have left.
 */
export function freeBuffer({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
