/** The shared secret of HS256, as COLOPHON_JWT_SECRET and the secret file have it. */
import { KeyError } from "./key-source.ts";

/** RFC 7518 §3.2: a key must be at least as long as the hash output. */
export const MIN_SECRET_BYTES = 32;

const RAW_PREFIX = "base64url:";

/** `source` names the variable or file in messages. */
export function parseSecret(text: string, source: string): Uint8Array<ArrayBuffer> {
  const bytes = text.startsWith(RAW_PREFIX)
    ? decodeBase64url(text.slice(RAW_PREFIX.length), source)
    : new TextEncoder().encode(text);
  if (bytes.length < MIN_SECRET_BYTES) {
    throw new KeyError(
      `${source} has ${bytes.length} bytes, and HS256 needs at least ${MIN_SECRET_BYTES}: ` +
        `make one with: echo "${RAW_PREFIX}$(openssl rand -base64 32 | tr '+/' '-_' | tr -d '=')"`,
    );
  }
  return bytes;
}

export function formatSecret(bytes: Uint8Array): string {
  return RAW_PREFIX + Buffer.from(bytes).toString("base64url");
}

function decodeBase64url(text: string, source: string): Uint8Array<ArrayBuffer> {
  const unpadded = text.replace(/={1,2}$/, "");
  const bytes = new Uint8Array(Buffer.from(unpadded, "base64url"));
  // The decoder ignores characters that it does not know, so a typing error would make a shorter secret.
  if (Buffer.from(bytes).toString("base64url") !== unpadded) {
    throw new KeyError(
      `${source} begins with ${RAW_PREFIX} but the rest is not base64url: use only A-Z a-z 0-9 - _`,
    );
  }
  return bytes;
}
