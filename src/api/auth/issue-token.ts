/** Issues the tokens that `colophon token` prints. */
import { SignJWT } from "jose";
import type { TokenRegistry } from "../../catalog/token-registry.ts";
import type { ExpectedClaims } from "./claims.ts";
import type { KeySource } from "./keys/key-source.ts";
import { KeyError } from "./keys/key-source.ts";

/** `colophon token` cannot issue the requested token. */
export class TokenError extends Error {
  override readonly name = "TokenError";
}

export interface TokenRequest extends ExpectedClaims {
  readonly keys: KeySource;
  readonly tokens: Pick<TokenRegistry, "add">;
  /** Names the client that the token is for. */
  readonly name: string;
  readonly days: number;
  /** Returns milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

const MAX_NAME_CHARS = 200;
const SECONDS_PER_DAY = 86_400;

/** Registers the token before it returns it, so that every token in use can be revoked. */
export async function issueToken(request: TokenRequest): Promise<string> {
  const { keys, tokens, name, days, issuer, audience } = request;
  if (!keys.signingKey) {
    throw new KeyError(
      "COLOPHON_JWT_KEYS has public keys, which verify tokens but cannot sign them: get tokens from your identity provider",
    );
  }
  checkName(name);
  const id = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex");
  const issued = Math.floor((request.now ?? Date.now)() / 1000);
  const expires = issued + days * SECONDS_PER_DAY;
  const claims = new SignJWT().setSubject(name).setIssuedAt(issued).setExpirationTime(expires).setJti(id);
  if (issuer !== undefined) claims.setIssuer(issuer);
  if (audience !== undefined) claims.setAudience(audience);
  const token = await claims.setProtectedHeader({ alg: "HS256", typ: "JWT" }).sign(keys.signingKey);

  await tokens.add({
    id,
    name,
    issued: toIsoString(issued),
    expires: toIsoString(expires),
    revoked: undefined,
  });
  return token;
}

function checkName(name: string): void {
  if ([...name].length > MAX_NAME_CHARS) {
    throw new TokenError(`the name of a token must have at most ${MAX_NAME_CHARS} characters`);
  }
  // Lists print one name per line. A lone surrogate cannot be encoded in UTF-8.
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) || !name.isWellFormed()) {
    throw new TokenError("the name of a token must have no control characters or line breaks");
  }
}

function toIsoString(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
