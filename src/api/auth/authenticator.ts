/**
 * Authenticates requests by their bearer token.
 *
 * The steps, in this order: parse the header, check the form of the token and verify its signature (`signature.ts`),
 * and read its claims (`claims.ts`). A token that passes them is cached. Validity period and revocation are checked in
 * every event-loop tick that has a request with it (`freshness.ts`).
 */
import type { Caller, TokenRegistry } from "../../catalog/token-registry.ts";
import type { Awaitable } from "../../lib/awaitable.ts";
import type { TickClock } from "../freshness.ts";
import { type Claims, type ExpectedClaims, isWithinValidity, parseClaims } from "./claims.ts";
import type { KeySet, KeySource } from "./keys/key-source.ts";
import { MAX_TOKEN_CHARS, verifySignature } from "./signature.ts";

export type AuthResult =
  | { readonly ok: true; readonly caller: Caller }
  /** The `WWW-Authenticate` value of the 401 response. */
  | { readonly ok: false; readonly challenge: string }
  /** No token can be verified at the moment: the response is 503. */
  | { readonly ok: false; readonly challenge: undefined };

export interface Authenticator {
  /** Decides by the `Authorization` header alone. Returns synchronously for a token that is cached as verified. */
  authenticate(authorization: string | null): Awaitable<AuthResult>;
}

interface AuthenticatorOptions extends ExpectedClaims {
  readonly keys: KeySource;
  readonly tokens: Pick<TokenRegistry, "isRevoked">;
  /** Returns milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  readonly maxCachedTokens?: number | undefined;
  /** When given, the result for a token is reused within one event-loop tick. */
  readonly ticks?: TickClock | undefined;
}

/** RFC 6750 §3: a request without credentials gets no error code. */
const MISSING_TOKEN: AuthResult = { ok: false, challenge: 'Bearer realm="colophon"' };
const INVALID_TOKEN: AuthResult = { ok: false, challenge: 'Bearer realm="colophon", error="invalid_token"' };
/** 401 would make clients drop tokens that are good, and 200 could be for a token whose key was withdrawn. */
const UNVERIFIABLE: AuthResult = { ok: false, challenge: undefined };

/** A token with a valid signature and acceptable claims. */
interface VerifiedToken {
  readonly claims: Claims;
  readonly accepted: AuthResult;
  /** The latest result, and the event-loop tick that it belongs to. */
  tick: number;
  result: AuthResult;
}

/** A number that no event-loop tick has. */
const NO_TICK = -1;

/** Takes about 5 MB with tokens of usual size, and 80 MB with the longest tokens that are accepted. */
const MAX_CACHED_TOKENS = 10_000;

/** A failing token registry makes `authenticate` throw or reject: the token itself may be good. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { keys, tokens, ticks } = options;
  const now = options.now ?? Date.now;
  const maxCachedTokens = options.maxCachedTokens ?? MAX_CACHED_TOKENS;
  /** The cache key is the usual form of the header, "Bearer " and the token: a cache hit needs no string operation. */
  const cache = new Map<string, VerifiedToken>();
  let cacheKeySet: KeySet | undefined = keys.current();

  function authenticate(authorization: string | null): Awaitable<AuthResult> {
    if (authorization === null) return MISSING_TOKEN;
    if (cacheKeySet !== keys.current()) clearCache();
    const cached = cache.get(authorization);
    if (cached) return checkOncePerTick(cached);

    const credentials = parseCredentials(authorization);
    if (credentials.kind === "none") return MISSING_TOKEN;
    if (credentials.kind === "malformed") return INVALID_TOKEN;
    if (!cacheKeySet) return UNVERIFIABLE;
    // A token has one cache entry, whatever the case and spacing of the scheme.
    const header = `Bearer ${credentials.token}`;
    const cachedByUsualForm = header === authorization ? undefined : cache.get(header);
    return cachedByUsualForm ? checkOncePerTick(cachedByUsualForm) : verify(credentials.token, header);
  }

  function checkOncePerTick(token: VerifiedToken): Awaitable<AuthResult> {
    const tick = ticks?.current() ?? NO_TICK;
    if (tick !== NO_TICK && tick === token.tick) return token.result;
    const result = check(token);
    if (result instanceof Promise) return result;
    token.tick = tick;
    token.result = result;
    return result;
  }

  /** Checks what changes with time: validity period and revocation. */
  function check({ claims, accepted }: VerifiedToken): Awaitable<AuthResult> {
    if (!isWithinValidity(claims, now())) return INVALID_TOKEN;
    if (claims.jti === undefined) return accepted;
    const revoked = tokens.isRevoked(claims.jti);
    if (typeof revoked === "boolean") return revoked ? INVALID_TOKEN : accepted;
    return revoked.then((isRevoked) => (isRevoked ? INVALID_TOKEN : accepted));
  }

  async function verify(token: string, header: string): Promise<AuthResult> {
    const jws = await verifySignature(token, keys);
    const claims = jws && parseClaims(jws.payload, options);
    if (!claims) return keys.current() ? INVALID_TOKEN : UNVERIFIABLE;
    const accepted: AuthResult = { ok: true, caller: { id: claims.jti, name: claims.sub } };
    const verified: VerifiedToken = { claims, accepted, tick: NO_TICK, result: INVALID_TOKEN };
    // The keys may have changed while the signature was verified.
    if (cacheKeySet !== keys.current()) clearCache();
    if (jws.keys === cacheKeySet && isWithinValidity(claims, now())) store(header, verified);
    return checkOncePerTick(verified);
  }

  /** Evicts the oldest entry of a full cache (first in, first out). */
  function store(header: string, token: VerifiedToken): void {
    if (cache.size >= maxCachedTokens && !cache.has(header)) {
      for (const oldest of cache.keys()) {
        cache.delete(oldest);
        break;
      }
    }
    cache.set(header, token);
  }

  function clearCache(): void {
    cache.clear();
    cacheKeySet = keys.current();
  }

  return { authenticate };
}

/** RFC 6750 §2.1: 1*SP b64token. The scheme name is case-insensitive (RFC 9110 §11.1). */
const CREDENTIALS = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;
/** The scheme name ends before the first character that RFC 9110 §5.6.2 does not allow in it. */
const BEARER = /^bearer(?![\w!#$%&'*+.^`|~-])/i;
const BEARER_ALONE = /^bearer *$/i;

type Credentials =
  /** The header has no bearer token: it is empty, or uses another scheme. */
  | { readonly kind: "none" }
  /** The scheme is Bearer, but the rest cannot be a token. */
  | { readonly kind: "malformed" }
  | { readonly kind: "token"; readonly token: string };

const NONE: Credentials = { kind: "none" };
const MALFORMED: Credentials = { kind: "malformed" };

/** A scheme, some spaces, and the longest token that is accepted. A longer value is not scanned for one. */
const MAX_AUTHORIZATION_CHARS = MAX_TOKEN_CHARS + 256;

export function parseCredentials(authorization: string): Credentials {
  if (authorization.length > MAX_AUTHORIZATION_CHARS) return BEARER.test(authorization) ? MALFORMED : NONE;
  const match = CREDENTIALS.exec(authorization);
  if (match) return { kind: "token", token: match[1] ?? "" };
  return BEARER.test(authorization) && !BEARER_ALONE.test(authorization) ? MALFORMED : NONE;
}
