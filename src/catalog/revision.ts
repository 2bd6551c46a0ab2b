/**
 * A catalog's revision is the sum of its records' etags as 128-bit numbers. It depends on the records alone, so it is
 * the same on every machine and engine, whatever the order of the imports. An import updates it from the records that
 * it changes, without reading the others.
 */
const MODULUS = 1n << 128n;

export const EMPTY_REVISION = "0".repeat(32);

export class RevisionSum {
  private sum: bigint;

  constructor(revision: string) {
    this.sum = BigInt(`0x${revision}`);
  }

  /** Accounts for a record that is added (no `before`), removed (no `after`) or replaced. */
  change(before: string | undefined, after: string | undefined): void {
    if (before !== undefined) this.sum -= BigInt(`0x${before}`);
    if (after !== undefined) this.sum += BigInt(`0x${after}`);
  }

  toString(): string {
    const sum = ((this.sum % MODULUS) + MODULUS) % MODULUS;
    return sum.toString(16).padStart(32, "0");
  }
}
