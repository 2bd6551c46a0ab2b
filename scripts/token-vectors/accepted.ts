/** Tokens that must be accepted. jose makes them, as an identity provider would. */
import { CompactSign, importJWK } from "jose";
import { ALGORITHMS, type Algorithm, kidOf, type TestKeys } from "./keys.ts";
import { AUDIENCE, CLAIMS, ISSUER, NOW_SECONDS, type TokenVector } from "./vector.ts";

export async function acceptedTokens(keys: TestKeys): Promise<TokenVector[]> {
  const vectors: TokenVector[] = [];
  for (const algorithm of ALGORITHMS) {
    const add = async (name: string, header: object, claims: object, more: Partial<TokenVector> = {}) => {
      const token = await jose(keys, algorithm, header, claims);
      vectors.push({ name: `${algorithm}: ${name}`, key: algorithm, verdict: "accepted", token, ...more });
    };
    await add("exp alone", {}, { exp: CLAIMS.exp });
    await add("all registered claims", { typ: "JWT" }, { ...CLAIMS, iat: NOW_SECONDS, nbf: NOW_SECONDS });
    await add("the kid of the key", { kid: kidOf(algorithm) }, CLAIMS);
    await add("the type at+jwt", { typ: "at+jwt" }, CLAIMS);
    await add("the type application/JWT", { typ: "application/JWT" }, CLAIMS);
    await add("expired 29 seconds ago, within the leeway", {}, { ...CLAIMS, exp: NOW_SECONDS - 29 });
    await add("valid in 30 seconds, within the leeway", {}, { ...CLAIMS, nbf: NOW_SECONDS + 30 });
    await add("a fraction in exp", {}, { ...CLAIMS, exp: NOW_SECONDS + 0.5 });
    await add("an unknown header parameter", { unknown: { x: 1 } }, CLAIMS);
    await add("unknown claims, beyond ASCII", {}, { ...CLAIMS, sub: "Librería Ñandú", scope: ["x"] });
    const claims = { ...CLAIMS, iss: ISSUER, aud: AUDIENCE };
    const expected = { issuer: ISSUER, audience: AUDIENCE };
    await add("issuer and audience as required", {}, claims, expected);
    await add("the audience in an array", {}, { ...claims, aud: ["other", AUDIENCE] }, expected);
    await add("an issuer that is not required", {}, { ...CLAIMS, iss: "other" });
  }
  return vectors;
}

async function jose(keys: TestKeys, algorithm: Algorithm, header: object, claims: object): Promise<string> {
  const key = await importJWK(keys[algorithm], algorithm);
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: algorithm, ...header })
    .sign(key);
}
