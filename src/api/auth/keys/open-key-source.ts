/** Opens the keys that the configuration names. */

import { parseKeyLocation } from "./key-document.ts";
import type { KeySet, KeySource } from "./key-source.ts";
import { KeyError } from "./key-source.ts";
import { openPublicKeys, type PublicKeyOptions, type PublishedKeySource } from "./public-key-source.ts";
import { parseSecret, readOrCreateSecretFile } from "./secret.ts";

export interface KeyConfig extends PublicKeyOptions {
  /** The value of COLOPHON_JWT_SECRET. */
  readonly secret?: string | undefined;
  /** The value of COLOPHON_JWT_KEYS: a file, or an https URL. */
  readonly keys?: string | undefined;
  /** The file of the generated secret. When omitted, no secret is generated. */
  readonly secretFile?: string | undefined;
}

/** Rejects with `KeyError`, whose message is for the operator. */
export async function openKeySource(config: KeyConfig): Promise<KeySource | PublishedKeySource> {
  if (config.secret !== undefined && config.keys !== undefined) {
    throw new KeyError(
      "COLOPHON_JWT_SECRET and COLOPHON_JWT_KEYS are both set: unset COLOPHON_JWT_SECRET to verify with the public keys, or COLOPHON_JWT_KEYS to use the secret",
    );
  }
  if (config.secret !== undefined) return openSecret(parseSecret(config.secret, "COLOPHON_JWT_SECRET"));
  if (config.keys !== undefined) return openPublicKeys(parseKeyLocation(config.keys), config);
  if (config.secretFile !== undefined) return openSecret(readOrCreateSecretFile(config.secretFile));
  throw new KeyError(
    "no key to verify tokens with: set COLOPHON_JWT_SECRET to a shared secret, or COLOPHON_JWT_KEYS to a file or https URL with public keys",
  );
}

async function openSecret(secret: Uint8Array<ArrayBuffer>): Promise<KeySource> {
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const signingKey = await crypto.subtle.importKey("raw", secret, hmac, false, ["sign", "verify"]);
  const keys: KeySet = [{ kid: undefined, keysByAlgorithm: new Map([["HS256", signingKey]]) }];
  return { current: () => keys, refresh: async () => keys, reload: async () => {}, signingKey };
}
