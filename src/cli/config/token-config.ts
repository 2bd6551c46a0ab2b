/** The configuration of tokens, from the environment. */
import type { ExpectedClaims } from "../../api/auth/claims.ts";
import type { KeySource } from "../../api/auth/keys/key-source.ts";
import { openKeySource } from "../../api/auth/keys/open-key-source.ts";
import type { KeyRead, PublishedKeySource } from "../../api/auth/keys/public-key-source.ts";
import type { TokenRegistry } from "../../catalog/token-registry.ts";
import { isPostgresUrl } from "./store-location.ts";

export interface TokenConfig extends ExpectedClaims {
  readonly keys: KeySource;
  /** The same keys, when they are public keys that this process reads. Workers receive them from it. */
  readonly publishedKeys: PublishedKeySource | undefined;
}

interface TokenConfigOptions {
  /** Called when public keys were read again. */
  readonly onKeysRead?: (read: KeyRead) => void;
  /** Public keys that another process reads. Each process reads a secret by itself. */
  readonly receiveKeys?: () => Promise<KeySource>;
  /** The registry of the store. When omitted, no secret is generated. */
  readonly tokens?: Pick<TokenRegistry, "list">;
}

/**
 * Returns the file of the secret that Colophon makes itself. Undefined when the environment has a key, and for PostgreSQL:
 * all its processes must be configured with the same key.
 */
export function generatedSecretFile(storeLocation: string): string | undefined {
  const { COLOPHON_JWT_SECRET, COLOPHON_JWT_KEYS } = process.env;
  const isConfigured = COLOPHON_JWT_SECRET !== undefined || COLOPHON_JWT_KEYS !== undefined;
  return isConfigured || isPostgresUrl(storeLocation) ? undefined : `${storeLocation}.secret`;
}

/**
 * Reads the COLOPHON_JWT_… variables. Without a key there, a SQLite store has a secret in a file beside it. It is
 * generated when there is none, and no valid token would become invalid by that.
 */
export async function readTokenConfig(
  storeLocation: string,
  { onKeysRead, receiveKeys, tokens }: TokenConfigOptions = {},
): Promise<TokenConfig> {
  const { COLOPHON_JWT_SECRET, COLOPHON_JWT_SECRET_PREVIOUS, COLOPHON_JWT_KEYS } = process.env;
  const { COLOPHON_JWT_ISSUER, COLOPHON_JWT_AUDIENCE } = process.env;
  const claims = { issuer: COLOPHON_JWT_ISSUER || undefined, audience: COLOPHON_JWT_AUDIENCE || undefined };
  if (receiveKeys && COLOPHON_JWT_KEYS !== undefined) {
    return { ...claims, keys: await receiveKeys(), publishedKeys: undefined };
  }
  const keys = await openKeySource({
    secret: COLOPHON_JWT_SECRET,
    previousSecret: COLOPHON_JWT_SECRET_PREVIOUS,
    keys: COLOPHON_JWT_KEYS,
    secretFile: generatedSecretFile(storeLocation),
    createsSecret: tokens && (async () => !(await tokens.list()).some(isValid)),
    onRead: onKeysRead,
  });
  return { ...claims, keys, publishedKeys: "publication" in keys ? keys : undefined };
}

function isValid({ revoked, expires }: Awaited<ReturnType<TokenRegistry["list"]>>[number]): boolean {
  return revoked === undefined && expires !== undefined && Date.parse(expires) > Date.now();
}
