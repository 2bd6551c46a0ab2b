/** Who signed a token, if anyone we know. */
import { compactVerify } from "jose";
import { readCompact } from "./compact-jws.ts";
import { candidates, type KeySet } from "./keys/key-set.ts";
import type { KeySource } from "./keys/key-source.ts";

export interface Signed {
  readonly payload: Uint8Array;
  /** The keys of which one has signed. */
  readonly keys: KeySet;
}

/** Undefined: no key of ours has signed it. */
export async function verifySignature(token: string, source: KeySource): Promise<Signed | undefined> {
  const jws = readCompact(token);
  if (!jws) return undefined;
  const keys = source.current();
  const payload = await signedPayload(token, candidates(keys, jws.algorithm, jws.kid), jws.algorithm);
  if (payload) return { payload, keys };

  // Keys are asked for anew only for a token that they could make good: a signature of public keys, by a new one.
  if (jws.algorithm === "HS256" || jws.kid === undefined || keys.some((key) => key.kid === jws.kid))
    return undefined;
  const renewed = await source.refresh();
  if (renewed === keys) return undefined;
  const second = await signedPayload(token, candidates(renewed, jws.algorithm, jws.kid), jws.algorithm);
  return second && { payload: second, keys: renewed };
}

async function signedPayload(
  token: string,
  keys: readonly CryptoKey[],
  algorithm: string,
): Promise<Uint8Array | undefined> {
  for (const key of keys) {
    try {
      return (await compactVerify(token, key, { algorithms: [algorithm] })).payload;
    } catch {
      // Whatever the reason, this key has not signed it.
    }
  }
  return undefined;
}
