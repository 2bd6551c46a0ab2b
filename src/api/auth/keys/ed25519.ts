/** What an Ed25519 key must be for its signatures to mean something. */

/** RFC 8032, 5.1: coordinates are whole numbers below it. */
const FIELD = 2n ** 255n - 19n;
/** The y of two of the four points of order 8; the other two have its negative. */
const ORDER_8 = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
/** The y of all eight points that are the neutral one when taken eight times. */
const SMALL_ORDER = [0n, 1n, FIELD - 1n, ORDER_8, FIELD - ORDER_8];

/**
 * Why the key is refused; undefined when it is not. For a point of small order a signature can be made without
 * any secret, and runtimes import it all the same (RFC 8725, 3.4: validate cryptographic inputs).
 */
export function weaknessOfPoint(bytes: Uint8Array): string | undefined {
  const y = [...bytes].reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n) & ((1n << 255n) - 1n);
  if (!SMALL_ORDER.includes(y % FIELD)) return undefined;
  return "it is an Ed25519 point of small order, for which anyone can sign";
}
