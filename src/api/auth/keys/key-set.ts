/** The keys that tokens are verified with, as they are at one moment. */

/** Everything a key of ours can be for. HS256 is for the shared secret alone. */
export const PUBLIC_ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"] as const;
export type PublicAlgorithm = (typeof PUBLIC_ALGORITHMS)[number];
export type Algorithm = "HS256" | PublicAlgorithm;

export interface VerificationKey {
  readonly kid: string | undefined;
  /** The key, for each algorithm that it is for: RFC 8725, 3.1, the token has no say in that. */
  readonly uses: ReadonlyMap<string, CryptoKey>;
}

/** Never changed: keys that are read anew are another set, so that a set stands for what was verified with it. */
export type KeySet = readonly VerificationKey[];

/** The keys that may have signed a token. One without a `kid`, as in a PEM file, may have signed any. */
export function candidates(keys: KeySet, algorithm: string, kid: string | undefined): CryptoKey[] {
  const found: CryptoKey[] = [];
  for (const key of keys) {
    const use = key.uses.get(algorithm);
    if (use && (kid === undefined || key.kid === undefined || key.kid === kid)) found.push(use);
  }
  return found;
}
