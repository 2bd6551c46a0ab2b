/** The keys that verify tokens, as one immutable set. */

/** The algorithms of public keys. HS256 is for the shared secret alone. */
export const PUBLIC_ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"] as const;
export type PublicAlgorithm = (typeof PUBLIC_ALGORITHMS)[number];
export type Algorithm = "HS256" | PublicAlgorithm;

export interface VerificationKey {
  readonly kid: string | undefined;
  /** RFC 8725 §3.1: the key decides which algorithms it is for, not the token. */
  readonly keysByAlgorithm: ReadonlyMap<string, CryptoKey>;
}

/** A reload makes a new set, so the identity of a set tells which keys verified a cached token. */
export type KeySet = readonly VerificationKey[];

/** Returns the keys that could have signed a token. A key without `kid`, such as one from a PEM file, fits any token. */
export function candidateKeys(keys: KeySet, algorithm: string, kid: string | undefined): CryptoKey[] {
  const candidates: CryptoKey[] = [];
  for (const key of keys) {
    const cryptoKey = key.keysByAlgorithm.get(algorithm);
    if (cryptoKey && (kid === undefined || key.kid === undefined || key.kid === kid)) {
      candidates.push(cryptoKey);
    }
  }
  return candidates;
}
