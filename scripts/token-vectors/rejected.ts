/** Tokens that must be rejected: each differs from an accepted one in one respect. */
import { CompactEncrypt, importJWK } from "jose";
import {
  ALGORITHMS,
  type Algorithm,
  AUDIENCE,
  CLAIMS,
  derSignature,
  encodePart,
  hmac,
  ISSUER,
  type Jwk,
  makeTestKeys,
  NOW_SECONDS,
  publicJwk,
  publicPem,
  REVOKED_ID,
  signAnything,
  signInput,
  type TestKeys,
  type TokenVector,
} from "./tokens.ts";

export async function rejectedTokens(keys: TestKeys): Promise<TokenVector[]> {
  const strangers = makeTestKeys();
  const vectors: TokenVector[] = [];
  for (const algorithm of ALGORITHMS) {
    const key = keys[algorithm];
    const context: Context = {
      algorithm,
      key,
      stranger: strangers[algorithm],
      sign: (header, payload) => signAnything(key, algorithm, header, payload),
      add(name, token, more = {}) {
        vectors.push({ name: `${algorithm}: ${name}`, key: algorithm, verdict: "rejected", token, ...more });
      },
    };
    addClaims(context);
    addHeaders(context);
    addForms(context);
    addSignatures(context, keys);
    await addEncrypted(context);
  }
  return vectors;
}

interface Context {
  readonly algorithm: Algorithm;
  readonly key: Jwk;
  readonly stranger: Jwk;
  sign(header: unknown, payload: unknown): string;
  add(name: string, token: string, more?: Partial<TokenVector>): void;
}

function addClaims({ algorithm: alg, sign, add }: Context): void {
  const token = (claims: unknown) => sign({ alg }, claims);
  const { exp: _, ...withoutExp } = CLAIMS;
  const json = JSON.stringify(withoutExp).slice(0, -1);
  add("no exp", token(withoutExp));
  add("exp is text", token({ ...CLAIMS, exp: String(CLAIMS.exp) }));
  add("exp is null", token({ ...CLAIMS, exp: null }));
  add("exp is 1e400, which is infinite", token(`${json},"exp":1e400}`));
  add("expired 30 seconds ago, beyond the leeway", token({ ...CLAIMS, exp: NOW_SECONDS - 30 }));
  add("valid in 31 seconds, beyond the leeway", token({ ...CLAIMS, nbf: NOW_SECONDS + 31 }));
  add("nbf is text", token({ ...CLAIMS, nbf: "0" }));
  add("jti is a number", token({ ...CLAIMS, jti: 5 }));
  add("revoked", token({ ...CLAIMS, jti: REVOKED_ID }));
  add("claims are an array", token([CLAIMS]));
  add("claims are not JSON", token("exp=1"));
  add("claims are in UTF-16", token(Buffer.from(JSON.stringify(CLAIMS), "utf16le")));
  const required = { issuer: ISSUER, audience: AUDIENCE };
  const claims = { ...CLAIMS, iss: ISSUER, aud: AUDIENCE };
  add("no issuer", token({ ...claims, iss: undefined }), required);
  add("another issuer", token({ ...claims, iss: "https://id.example" }), required);
  add("the issuer in an array", token({ ...claims, iss: [ISSUER] }), required);
  add("no audience", token({ ...claims, aud: undefined }), required);
  add("another audience", token({ ...claims, aud: "Colophon" }), required);
  add("an array without the audience", token({ ...claims, aud: ["other"] }), required);
}

function addHeaders({ algorithm: alg, key, sign, add }: Context): void {
  const url = "https://attacker.example/keys.json";
  const token = (header: object) => sign({ alg, ...header }, CLAIMS);
  add("the header jku", token({ jku: url }));
  add("the header x5u", token({ x5u: url }));
  add("the header jwk", token({ jwk: alg === "HS256" ? { kty: "oct", k: "AA" } : publicJwk(key) }));
  add("the header x5c", token({ x5c: ["AA=="] }));
  add("the header crit", token({ crit: ["exp"], exp: 1 }));
  add("an empty crit", token({ crit: [] }));
  add("an unencoded payload", token({ b64: false, crit: ["b64"] }));
  add("a kid that is a number", token({ kid: 5 }));
  add("the type of a logout token", token({ typ: "logout+jwt" }));
  add("the type of a security event", token({ typ: "secevent+jwt" }));
  add("no alg", sign({ typ: "JWT" }, CLAIMS));
  add("alg in another case", sign({ alg: alg.toLowerCase() }, CLAIMS));
  add("the header is an array", sign([{ alg }], CLAIMS));
}

function addForms({ algorithm: alg, sign, add }: Context): void {
  const valid = sign({ alg }, CLAIMS);
  const [head = "", payload = "", signature = ""] = valid.split(".");
  add("no signature", `${head}.${payload}.`);
  add("no signature and no dot", `${head}.${payload}`);
  add("no payload", `${head}..${signature}`);
  add("a fourth part", `${valid}.${signature}`);
  add("padding", `${valid}=`);
  add("a character outside base64url", `${head}.${payload}.${signature.slice(0, -2)}+/`);
  add("unused bits of the last character set", `${head}.${payload}.${withUnusedBit(signature)}`);
  add("JSON serialization", JSON.stringify({ protected: head, payload, signature }));
  add("more than 8192 characters", sign({ alg }, { ...CLAIMS, filler: "x".repeat(8192) }));
}

/** Sets a bit that the decoder ignores. Signatures of 32 and 64 bytes and of 256 bytes have two or four of them. */
function withUnusedBit(base64url: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return base64url.slice(0, -1) + alphabet[alphabet.indexOf(base64url.at(-1)!) | 1];
}

function addSignatures({ algorithm: alg, key, stranger, sign, add }: Context, keys: TestKeys): void {
  const valid = sign({ alg }, CLAIMS);
  const [head = "", payload = "", signature = ""] = valid.split(".");
  const flipped = Buffer.from(signature, "base64url");
  flipped[0]! ^= 1;
  add("one bit of the signature changed", `${head}.${payload}.${flipped.toString("base64url")}`);
  add("the signature cut short", `${head}.${payload}.${encodePart(flipped.subarray(0, -1))}`);
  add("other claims", `${head}.${encodePart({ ...CLAIMS, sub: "Other" })}.${signature}`);
  add("another header", `${encodePart({ alg, typ: "JWT" })}.${payload}.${signature}`);
  add("the key of somebody else", signAnything(stranger, alg, { alg }, CLAIMS));
  for (const none of ["none", "None", "NONE"]) {
    add(`the algorithm ${none}, without a signature`, `${encodePart({ alg: none })}.${payload}.`);
    add(`the algorithm ${none}, with a signature`, sign({ alg: none }, CLAIMS));
  }
  for (const other of ALGORITHMS) {
    if (other === alg) continue;
    add(`its own signature under the name ${other}`, sign({ alg: other }, CLAIMS));
    add(`a token of the ${other} key`, signAnything(keys[other], other, { alg: other }, CLAIMS));
  }
  for (const unsupported of ["HS384", "RS512", "PS384", "ES384", "ES256K"]) {
    add(`its own signature under the name ${unsupported}`, sign({ alg: unsupported }, CLAIMS));
  }
  if (alg === "HS256") {
    const input = `${encodePart({ alg })}.${payload}`;
    add("an empty secret", `${input}.${hmac("", input).toString("base64url")}`);
    return;
  }
  const input = `${encodePart({ alg: "HS256" })}.${payload}`;
  add("HS256 with the public PEM", `${input}.${hmac(publicPem(key), input).toString("base64url")}`);
  const jwk = JSON.stringify(publicJwk(key));
  add("HS256 with the public JWK", `${input}.${hmac(jwk, input).toString("base64url")}`);
  if (alg !== "ES256") return;
  const signed = `${head}.${payload}`;
  add("a signature in ASN.1", `${signed}.${derSignature(key, signed).toString("base64url")}`);
  add("a signature of zeros (CVE-2022-21449)", `${signed}.${Buffer.alloc(64).toString("base64url")}`);
  const halves = signInput(key, alg, signed);
  const swapped = Buffer.concat([halves.subarray(32), halves.subarray(0, 32)]);
  add("a signature with r and s swapped", `${signed}.${swapped.toString("base64url")}`);
}

async function addEncrypted({ algorithm, key, add }: Context): Promise<void> {
  if (algorithm !== "RS256" && algorithm !== "HS256") return;
  const alg = algorithm === "RS256" ? "RSA-OAEP" : "dir";
  const jwk = algorithm === "RS256" ? publicJwk(key) : key;
  const token = await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(CLAIMS)))
    .setProtectedHeader({ alg, enc: "A256GCM" })
    .encrypt(await importJWK(jwk, alg === "dir" ? "A256GCM" : alg));
  add("claims that are encrypted for the key (JWE)", token);
}
