/** Parses tokens, and verifies their signatures with the current keys, after one refresh where that can help. */
import { compactVerify } from "jose";
import { candidateKeys, type KeySet, type KeySource, PUBLIC_ALGORITHMS } from "./keys/key-source.ts";

interface JwsHeader {
  readonly algorithm: string;
  readonly kid: string | undefined;
}

/** Servers and proxies rarely accept longer header fields. It also bounds the size of the token cache. */
export const MAX_TOKEN_CHARS = 8192;

/** Three parts; only the payload may be empty. A JWE has five parts. */
const COMPACT_FORM = /^([\w-]+)\.([\w-]*)\.([\w-]+)$/;

/**
 * The first four would let a token choose its own key (RFC 8725 §3.10). `crit` lists extensions that the receiver
 * must understand (RFC 7515 §4.1.11), and this one understands none.
 */
const FORBIDDEN_PARAMETERS = ["jku", "x5u", "jwk", "x5c", "crit"];

/**
 * RFC 8725 §3.11 and §3.12: an issuer may sign other kinds of token with the same key (`logout+jwt`,
 * `secevent+jwt`), and these are no access tokens. A token without `typ` counts as a plain JWT.
 */
const ACCEPTED_TYPES = ["jwt", "at+jwt"];

/** Returns undefined when no key could make the token valid. */
function parseCompactJws(token: string): JwsHeader | undefined {
  if (token.length > MAX_TOKEN_CHARS) return undefined;
  const parts = COMPACT_FORM.exec(token);
  if (!parts) return undefined;
  const [, head = "", payload = "", signature = ""] = parts;
  if (!isCanonical(head) || !isCanonical(payload) || !isCanonical(signature)) return undefined;

  const header = parseJsonObject(Buffer.from(head, "base64url"));
  if (!header || FORBIDDEN_PARAMETERS.some((name) => Object.hasOwn(header, name))) return undefined;
  const { alg, kid, typ, b64 } = header;
  if (typeof alg !== "string" || !isSupportedAlgorithm(alg)) return undefined;
  if (kid !== undefined && typeof kid !== "string") return undefined;
  if (typ !== undefined && !isAcceptedType(typ)) return undefined;
  // RFC 7797 §6: an unencoded payload requires `crit`. RFC 7797 §7: a JWT must not have one.
  if (b64 !== undefined && b64 !== true) return undefined;
  return { algorithm: alg, kid };
}

function isSupportedAlgorithm(alg: string): boolean {
  return alg === "HS256" || (PUBLIC_ALGORITHMS as readonly string[]).includes(alg);
}

/** RFC 7515 §4.1.9: `typ` is case-insensitive, and `application/` may be omitted. */
function isAcceptedType(typ: unknown): boolean {
  return typeof typ === "string" && ACCEPTED_TYPES.includes(typ.toLowerCase().replace(/^application\//, ""));
}

/** Decoders ignore the unused bits of the last character (RFC 4648 §3.5), so one signature could be written several ways. */
function isCanonical(base64url: string): boolean {
  return Buffer.from(base64url, "base64url").toString("base64url") === base64url;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The last of several members with the same name counts, as RFC 7515 §4 and RFC 7519 §4 allow. */
export function parseJsonObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

interface VerifiedJws {
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
