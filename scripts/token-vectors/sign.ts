/** Signs tokens that jose would refuse to make, with node:crypto. */
import { constants, createHmac, createPrivateKey, sign } from "node:crypto";
import type { Algorithm, Jwk } from "./keys.ts";

export function encodePart(value: unknown): string {
  const bytes = typeof value === "string" || value instanceof Uint8Array ? value : JSON.stringify(value);
  return Buffer.from(bytes as string).toString("base64url");
}

/** Header and payload are used as they are, or as JSON when they are objects. */
export function signAnything(key: Jwk, algorithm: Algorithm, header: unknown, payload: unknown): string {
  const input = `${encodePart(header)}.${encodePart(payload)}`;
  return `${input}.${signInput(key, algorithm, input).toString("base64url")}`;
}

export function signInput(key: Jwk, algorithm: Algorithm, input: string): Buffer {
  if (algorithm === "HS256") return hmac(Buffer.from(String(key.k), "base64url"), input);
  const { kid: _, ...material } = key;
  const privateKey = createPrivateKey({ key: material as never, format: "jwk" });
  const data = Buffer.from(input);
  switch (algorithm) {
    case "RS256":
      return sign("sha256", data, privateKey);
    case "PS256":
      return sign("sha256", data, {
        key: privateKey,
        padding: constants.RSA_PKCS1_PSS_PADDING,
        saltLength: 32,
      });
    case "ES256":
      return sign("sha256", data, { key: privateKey, dsaEncoding: "ieee-p1363" });
    case "EdDSA":
      return sign(null, data, privateKey);
  }
}

export function hmac(secret: string | Uint8Array, input: string, hash = "sha256"): Buffer {
  return createHmac(hash, secret).update(input).digest();
}

/** ECDSA as ASN.1, which RFC 7518 §3.4 does not allow. */
export function derSignature(key: Jwk, input: string): Buffer {
  const { kid: _, ...material } = key;
  return sign("sha256", Buffer.from(input), createPrivateKey({ key: material as never, format: "jwk" }));
}
