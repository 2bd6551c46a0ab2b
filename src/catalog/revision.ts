/**
 * A catalog's revision is the sum of its records' etags, as 128-bit numbers: it depends on what the catalog
 * holds and on nothing else, so it is the same on every machine and engine, whatever the order of the imports;
 * and an import changes it by what it changes, without reading the rest.
 */
const MODULUS = 1n << 128n;

export const EMPTY_REVISION = "0".repeat(32);

export class RevisionSum {
  private sum: bigint;

  constructor(revision: string) {
    this.sum = BigInt(`0x${revision}`);
  }

  /** A record comes, goes, or is replaced. */
  change(before: string | undefined, after: string | undefined): void {
    if (before !== undefined) this.sum -= BigInt(`0x${before}`);
    if (after !== undefined) this.sum += BigInt(`0x${after}`);
  }

  toString(): string {
    const sum = ((this.sum % MODULUS) + MODULUS) % MODULUS;
    return sum.toString(16).padStart(32, "0");
  }
}
