/** Lets requests in by their bearer token. */
import type { TokenRegistry } from "../../catalog/token-registry.ts";
import type { Awaitable } from "../../lib/awaitable.ts";
import type { Turns } from "../cache/freshness.ts";
import { readCredentials } from "./authorization.ts";
import { type Claims, type ExpectedClaims, isWithinValidity, readClaims } from "./claims.ts";
import type { KeySet } from "./keys/key-set.ts";
import type { KeySource } from "./keys/key-source.ts";
import { verifySignature } from "./signature.ts";
import type { Authenticator, AuthResult } from "./auth-result.ts";

export interface AuthenticatorOptions extends ExpectedClaims {
  readonly keys: KeySource;
  readonly tokens: Pick<TokenRegistry, "isRevoked">;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** How many tokens are remembered. */
  readonly memory?: number | undefined;
  /** When given: what was said of a token holds for the rest of the turn. */
  readonly turns?: Turns | undefined;
}

/** RFC 6750, 3: without credentials there is nothing to say of what is wrong with them. */
const ASK: AuthResult = { ok: false, challenge: 'Bearer realm="colophon"' };
const REFUSE: AuthResult = { ok: false, challenge: 'Bearer realm="colophon", error="invalid_token"' };

/** A token whose signature and claims were found good; time and ledger are asked every time. */
interface Known {
  readonly claims: Claims;
  readonly admitted: AuthResult;
  /** What was said last, and in which turn. */
  turn: number;
  verdict: AuthResult;
}

/** A turn that never is. */
const NEVER = -1;

/** At 8 kB, the longest there are, this is 80 MB; at the usual size, 5. */
const MEMORY = 10_000;

/** A ledger that fails is the caller's to see (a throw, or a rejection): it is no reason to call a token bad. */
export function createAuthenticator(parts: AuthenticatorOptions): Authenticator {
  const { keys, tokens: ledger, turns } = parts;
  const now = parts.now ?? Date.now;
  const memory = parts.memory ?? MEMORY;
  /** By the header as clients write it, "Bearer " and the token: on the way that most requests take, nothing is cut. */
  const known = new Map<string, Known>();
  let knownBy: KeySet = keys.current();

  function authenticate(authorization: string | null): Awaitable<AuthResult> {
    if (authorization === null) return ASK;
    if (knownBy !== keys.current()) forget();
    const met = known.get(authorization);
    if (met) return decide(met);

    const credentials = readCredentials(authorization);
    if (credentials.kind === "none") return ASK;
    if (credentials.kind === "malformed") return REFUSE;
    // One token has one place, however its scheme is spelled.
    const header = `Bearer ${credentials.token}`;
    const metSpelledOtherwise = header === authorization ? undefined : known.get(header);
    return metSpelledOtherwise ? decide(metSpelledOtherwise) : meet(credentials.token, header);
  }

  function decide(met: Known): Awaitable<AuthResult> {
    const turn = turns?.now() ?? NEVER;
    if (turn !== NEVER && turn === met.turn) return met.verdict;
    const verdict = judge(met);
    if (verdict instanceof Promise) return verdict;
    met.turn = turn;
    met.verdict = verdict;
    return verdict;
  }

  function judge({ claims, admitted }: Known): Awaitable<AuthResult> {
    if (!isWithinValidity(claims, now())) return REFUSE;
    if (claims.jti === undefined) return admitted;
    const revoked = ledger.isRevoked(claims.jti);
    if (typeof revoked === "boolean") return revoked ? REFUSE : admitted;
    return revoked.then((isRevoked) => (isRevoked ? REFUSE : admitted));
  }

  async function meet(token: string, header: string): Promise<AuthResult> {
    const signed = await verifySignature(token, keys);
    const claims = signed && readClaims(signed.payload, parts);
    if (!claims) return REFUSE;
    const admitted: AuthResult = { ok: true, caller: { id: claims.jti, name: claims.sub } };
    const met: Known = { claims, admitted, turn: NEVER, verdict: REFUSE };
    if (knownBy !== keys.current()) forget();
    if (signed.keys === knownBy && isWithinValidity(claims, now())) remember(header, met);
    return decide(met);
  }

  function remember(header: string, met: Known): void {
    if (known.size >= memory && !known.has(header)) {
      for (const oldest of known.keys()) {
        known.delete(oldest);
        break;
      }
    }
    known.set(header, met);
  }

  function forget(): void {
    known.clear();
    knownBy = keys.current();
  }

  return { authenticate: authenticate };
}
