/** The configuration of tokens, from the environment. */
import type { ExpectedClaims } from "../../api/auth/claims.ts";
import { type KeySource, openKeySource } from "../../api/auth/keys/key-source.ts";
import { isPostgresUrl } from "./store-location.ts";

export interface TokenConfig extends ExpectedClaims {
  readonly keys: KeySource;
}

/**
 * Reads the COLOPHON_JWT_… variables. Without a key there, a SQLite store generates a secret in a file beside it.
 * PostgreSQL has no such file: all processes must be configured with the same key.
 */
export async function readTokenConfig(
  storeLocation: string,
  onRefreshError: (error: Error) => void = printRefreshError,
): Promise<TokenConfig> {
  const { COLOPHON_JWT_SECRET, COLOPHON_JWT_KEYS, COLOPHON_JWT_ISSUER, COLOPHON_JWT_AUDIENCE } = process.env;
  const keys = await openKeySource({
    secret: COLOPHON_JWT_SECRET,
    keys: COLOPHON_JWT_KEYS,
    secretFile: isPostgresUrl(storeLocation) ? undefined : `${storeLocation}.secret`,
    onRefreshError,
  });
  return { keys, issuer: COLOPHON_JWT_ISSUER || undefined, audience: COLOPHON_JWT_AUDIENCE || undefined };
}

function printRefreshError(error: Error): void {
  console.error(`colophon: ${error.message}; the previous keys stay in use`);
}
