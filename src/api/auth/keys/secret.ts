/** The shared secret of HS256, as the configuration writes it. */
import { KeyError } from "../errors.ts";

/** RFC 7518, 3.2: a key of the size of the hash output, or larger, must be used. */
export const SECRET_BYTES = 32;

const RAW = "base64url:";

/** `from` is what the message calls it: a variable or a file. */
export function readSecret(text: string, from: string): Uint8Array<ArrayBuffer> {
  const bytes = text.startsWith(RAW)
    ? rawBytes(text.slice(RAW.length), from)
    : new TextEncoder().encode(text);
  if (bytes.length < SECRET_BYTES) {
    throw new KeyError(
      `${from} has ${bytes.length} bytes, and HS256 needs at least ${SECRET_BYTES}: ` +
        `make one with: echo "${RAW}$(openssl rand -base64 32 | tr '+/' '-_' | tr -d '=')"`,
    );
  }
  return bytes;
}

export function writeSecret(bytes: Uint8Array): string {
  return RAW + Buffer.from(bytes).toString("base64url");
}

function rawBytes(text: string, from: string): Uint8Array<ArrayBuffer> {
  const unpadded = text.replace(/={1,2}$/, "");
  const bytes = new Uint8Array(Buffer.from(unpadded, "base64url"));
  // Decoders drop what they do not know: a typing error would quietly make another, shorter secret.
  if (Buffer.from(bytes).toString("base64url") !== unpadded) {
    throw new KeyError(`${from} begins with ${RAW} but what follows is not base64url (A-Z a-z 0-9 - _)`);
  }
  return bytes;
}
