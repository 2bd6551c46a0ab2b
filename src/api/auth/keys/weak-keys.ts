/** Finds public keys for which a signature proves nothing (RFC 8725 §3.4). The runtime imports them without complaint. */
import type { JWK } from "jose";

/** RFC 7518 §3.3. */
const MIN_MODULUS_BITS = 2048;

/** Returns why the key must not be used, or undefined for a sound key. */
export function findWeakness(jwk: JWK): string | undefined {
  if (jwk.kty === "RSA") return findRsaWeakness(toBigInt(jwk.n), toBigInt(jwk.e));
  if (jwk.kty === "OKP" && typeof jwk.x === "string") {
    return findEd25519Weakness(Buffer.from(jwk.x, "base64url"));
  }
  return undefined;
}

function findRsaWeakness(modulus: bigint, exponent: bigint): string | undefined {
  const bits = modulus.toString(2).length;
  if (bits < MIN_MODULUS_BITS)
    return `it is an RSA key of ${bits} bits, and the minimum is ${MIN_MODULUS_BITS}`;
  // With the exponent 1 every message is its own signature. RFC 8017 §3.1: odd, and at least 3.
  if (exponent < 3n || exponent % 2n === 0n) return "its RSA exponent is not an odd number of at least 3";
  if (isRoca(modulus)) return "it is an RSA key that can be factored (ROCA, CVE-2017-15361)";
  return undefined;
}

const SMALL_PRIMES = [
  3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107,
  109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
];

/** Modulo each small prime, the primes of the broken generator are powers of 65537, and so is their product. */
function isRoca(modulus: bigint): boolean {
  return SMALL_PRIMES.every((prime) => powersOf65537(prime).has(Number(modulus % BigInt(prime))));
}

function powersOf65537(prime: number): Set<number> {
  const powers = new Set<number>();
  for (let power = 1; !powers.has(power); power = (power * 65537) % prime) powers.add(power);
  return powers;
}

/** RFC 8032 §5.1: the prime of the field that coordinates belong to. */
const FIELD_PRIME = 2n ** 255n - 19n;
/** The y coordinate of two of the four points of order 8. The other two have its negative. */
const ORDER_8_Y = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
/** The y coordinates of all eight points whose order divides 8. */
const SMALL_ORDER_Y = [0n, 1n, FIELD_PRIME - 1n, ORDER_8_Y, FIELD_PRIME - ORDER_8_Y];

/** For a point of small order, signatures can be made without a secret. */
function findEd25519Weakness(publicKey: Uint8Array): string | undefined {
  const littleEndian = [...publicKey].reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
  // The top bit is the sign of x.
  const y = littleEndian & ((1n << 255n) - 1n);
  if (!SMALL_ORDER_Y.includes(y % FIELD_PRIME)) return undefined;
  return "it is an Ed25519 point of small order, for which anyone can sign";
}

function toBigInt(base64url: unknown): bigint {
  const hex = typeof base64url === "string" ? Buffer.from(base64url, "base64url").toString("hex") : "";
  return BigInt(`0x0${hex}`);
}
