/** The keys that verify tokens, wherever they come from and whenever they change. */

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

export interface KeySource {
  /**
   * Returns the same object until the keys change. Returns undefined while the keys of a URL are too old to be used,
   * because it has failed for an hour: then nobody knows which tokens are valid.
   */
  current(): KeySet | undefined;
  /**
   * To be called for a token with an unknown `kid`. Reads the keys of a URL again, at most once a minute; concurrent
   * calls share one read. Returns the keys after that.
   */
  refresh(): Promise<KeySet | undefined>;
  /** Reads the file or URL again. The old keys stay in use when it cannot be used. */
  reload(): Promise<void>;
  /** Is undefined when only public keys are configured. */
  readonly signingKey: CryptoKey | undefined;
}

/** The configured keys cannot be used, so the service must not start. The message is one line and quotes no secret. */
export class KeyError extends Error {
  override readonly name = "KeyError";
}

/** Returns the code of a failed system or network call. Its message could quote a URL with a password. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : error.name;
}
