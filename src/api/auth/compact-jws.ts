/** Takes a compact JWS apart (RFC 7515, 7.1), before any key is looked at. */
import { PUBLIC_ALGORITHMS } from "./keys/key-set.ts";

export interface CompactJws {
  readonly algorithm: string;
  readonly kid: string | undefined;
}

/** Servers and proxies take no longer header fields as a rule; and it bounds what remembered tokens take up. */
export const LONGEST_TOKEN = 8192;

/** Three parts, of which only the payload may be empty. A JWE has five. */
const SHAPE = /^([\w-]+)\.([\w-]*)\.([\w-]+)$/;

/**
 * Header parameters that would have the token choose its own key (RFC 8725, 3.10), and `crit`: no extension is
 * understood here, so that each one listed there is unknown (RFC 7515, 4.1.11).
 */
const REFUSED_PARAMETERS = ["jku", "x5u", "jwk", "x5c", "crit"];

/**
 * RFC 8725, 3.11 and 3.12: what an issuer signs for other ends, with the same key (`logout+jwt`, `secevent+jwt`),
 * is no access token. Without `typ` it is a plain JWT.
 */
const TYPES = ["jwt", "at+jwt"];

/** Undefined: not a token that any key could make good. */
export function readCompact(token: string): CompactJws | undefined {
  if (token.length > LONGEST_TOKEN) return undefined;
  const parts = SHAPE.exec(token);
  if (!parts) return undefined;
  const [, head = "", payload = "", signature = ""] = parts;
  if (!isCanonical(head) || !isCanonical(payload) || !isCanonical(signature)) return undefined;

  const header = readJsonObject(Buffer.from(head, "base64url"));
  if (!header || REFUSED_PARAMETERS.some((name) => Object.hasOwn(header, name))) return undefined;
  const { alg, kid, typ, b64 } = header;
  if (typeof alg !== "string" || !(alg === "HS256" || (PUBLIC_ALGORITHMS as readonly string[]).includes(alg)))
    return undefined;
  if (kid !== undefined && typeof kid !== "string") return undefined;
  if (
    typ !== undefined &&
    !(typeof typ === "string" && TYPES.includes(typ.toLowerCase().replace(/^application\//, "")))
  ) {
    return undefined;
  }
  // RFC 7797, 6: an unencoded payload must be announced in `crit`; 7: and has no place in a JWT.
  if (b64 !== undefined && b64 !== true) return undefined;
  return { algorithm: alg, kid };
}

/** Bits that decoders drop (RFC 4648, 3.5) would give one signature several spellings. */
function isCanonical(base64url: string): boolean {
  return Buffer.from(base64url, "base64url").toString("base64url") === base64url;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Of a member that stands twice the last one counts, as RFC 7515, 4 and RFC 7519, 4 allow. */
export function readJsonObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
