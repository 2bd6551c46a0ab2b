/** What an RSA key must have for its signatures to mean something. */

/** RFC 7518, 3.3. */
const MODULUS_BITS = 2048;

/** Why the key is refused; undefined when it is not. */
export function weaknessOfRsa(modulus: bigint, exponent: bigint): string | undefined {
  const bits = modulus.toString(2).length;
  if (bits < MODULUS_BITS) return `it is an RSA key of ${bits} bits, and ${MODULUS_BITS} are the least`;
  // With an exponent of 1 every message is its own signature; RFC 8017, 3.1: odd, and at least 3.
  if (exponent < 3n || exponent % 2n === 0n) return "its RSA exponent is not an odd number from 3 on";
  if (isRoca(modulus)) return "it is an RSA key of the kind that can be factored (ROCA, CVE-2017-15361)";
  return undefined;
}

const SMALL_PRIMES = [
  3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107,
  109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
];

/** Primes of the broken generator are powers of 65537 modulo small primes, and so is their product. */
function isRoca(modulus: bigint): boolean {
  return SMALL_PRIMES.every((prime) => powersOf65537(prime).has(Number(modulus % BigInt(prime))));
}

function powersOf65537(prime: number): Set<number> {
  const powers = new Set<number>();
  for (let power = 1; !powers.has(power); power = (power * 65537) % prime) powers.add(power);
  return powers;
}
