/** Verifies the signature of a token with the current keys, after one refresh where that can help. */
import { compactVerify } from "jose";
import { parseCompactJws } from "./compact-jws.ts";
import { candidateKeys, type KeySet } from "./keys/key-set.ts";
import type { KeySource } from "./keys/key-source.ts";

export interface VerifiedJws {
  readonly payload: Uint8Array;
  /** The key set that verified the signature. */
  readonly keys: KeySet;
}

/** Returns undefined when no key verifies the token. */
export async function verifySignature(token: string, source: KeySource): Promise<VerifiedJws | undefined> {
  const jws = parseCompactJws(token);
  if (!jws) return undefined;
  const keys = source.current();
  if (!keys) return undefined;
  const payload = await verifiedPayload(token, candidateKeys(keys, jws.algorithm, jws.kid), jws.algorithm);
  if (payload) return { payload, keys };

  // Only a public key that the set does not have yet could still verify the token.
  if (jws.algorithm === "HS256" || jws.kid === undefined || keys.some((key) => key.kid === jws.kid))
    return undefined;
  const refreshed = await source.refresh();
  if (!refreshed || refreshed === keys) return undefined;
  const candidates = candidateKeys(refreshed, jws.algorithm, jws.kid);
  const payloadAfterRefresh = await verifiedPayload(token, candidates, jws.algorithm);
  return payloadAfterRefresh && { payload: payloadAfterRefresh, keys: refreshed };
}

async function verifiedPayload(
  token: string,
  keys: readonly CryptoKey[],
  algorithm: string,
): Promise<Uint8Array | undefined> {
  for (const key of keys) {
    try {
      return (await compactVerify(token, key, { algorithms: [algorithm] })).payload;
    } catch {
      // This key does not verify the token, for whatever reason. The next one may.
    }
  }
  return undefined;
}
