/** Makes the tokens that `colophon token` prints. */
import { SignJWT } from "jose";
import type { TokenRegistry } from "../../catalog/token-registry.ts";
import type { ExpectedClaims } from "./claims.ts";
import type { KeySource } from "./keys/key-source.ts";
import { KeyError, TokenError } from "./errors.ts";

export interface TokenRequest extends ExpectedClaims {
  readonly keys: KeySource;
  readonly tokens: Pick<TokenRegistry, "add">;
  /** Whose token it is. */
  readonly name: string;
  readonly days: number;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

const MOST_DAYS = 3650;
const LONGEST_NAME = 200;

/** The token stands in the ledger before anyone has it: there is none that could not be revoked. */
export async function issueToken(order: TokenRequest): Promise<string> {
  const { keys, tokens: ledger, name, days, issuer, audience } = order;
  if (!keys.signingKey) {
    throw new KeyError(
      "COLOPHON_JWT_KEYS has public keys, which verify tokens and cannot sign them: get tokens from your identity provider",
    );
  }
  checkName(name);
  if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS) {
    throw new TokenError(`the days of a token are a whole number from 1 to ${MOST_DAYS}`);
  }

  const id = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex");
  const issued = Math.floor((order.now ?? Date.now)() / 1000);
  const expires = issued + days * 86_400;
  const claims = new SignJWT().setSubject(name).setIssuedAt(issued).setExpirationTime(expires).setJti(id);
  if (issuer !== undefined) claims.setIssuer(issuer);
  if (audience !== undefined) claims.setAudience(audience);
  const token = await claims.setProtectedHeader({ alg: "HS256", typ: "JWT" }).sign(keys.signingKey);

  await ledger.add({ id, name, issued: iso(issued), expires: iso(expires), revoked: undefined });
  return token;
}

function checkName(name: string): void {
  if (name.trim() === "") throw new TokenError("a token needs a name that says whose it is");
  if ([...name].length > LONGEST_NAME) {
    throw new TokenError(`the name of a token has at most ${LONGEST_NAME} characters`);
  }
  // It is printed in lists, one line each. Half a surrogate pair could not be written as UTF-8.
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) || !name.isWellFormed()) {
    throw new TokenError("the name of a token has no control characters or line breaks");
  }
}

function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
