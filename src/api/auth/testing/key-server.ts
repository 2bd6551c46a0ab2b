/** An https server with a key document, and clients that trust its certificate. */
import type { KeyClock } from "../keys/key-clock.ts";
import type { Fetch } from "../keys/key-document.ts";
import {
  CLAIMS,
  generateKeyPair,
  isOpensslMissing,
  publicJwk,
  selfSignedCertificate,
  signToken,
  signWith,
} from "./signed-tokens.ts";

export const pairs = [generateKeyPair("ES256"), generateKeyPair("ES256")] as const;

/** Returns a JWKS with the keys k0 and k1, or one of them. */
export function jwks(...indexes: readonly (0 | 1)[]): string {
  return JSON.stringify({
    keys: indexes.map((index) => ({ ...publicJwk(pairs[index].publicKey), kid: `k${index}` })),
  });
}

/** Returns a token that is signed with the key, with its `kid` unless another header is given. */
export function token(index: 0 | 1, header: object = { kid: `k${index}` }, claims: object = CLAIMS): string {
  return signToken({ alg: "ES256", ...header }, claims, signWith("ES256", pairs[index].privateKey));
}

interface KeyServer extends Disposable {
  /** The URL has a query that must not appear in messages. */
  readonly url: string;
  readonly cert: string;
  readonly fetch: Fetch;
  respond: () => Response | Promise<Response>;
  fetchCount: number;
}

/** Does not work where openssl is missing; tests are then skipped. */
export function startKeyServer(): KeyServer {
  const { key, cert } = isOpensslMissing ? { key: "", cert: "" } : selfSignedCertificate();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    ...(!isOpensslMissing && { tls: { key, cert } }),
    fetch: () => {
      keyServer.fetchCount++;
      return keyServer.respond();
    },
  });
  const keyServer: KeyServer = {
    url: `https://localhost:${server.port}/jwks?key=hidden`,
    cert,
    fetch: (target, options) => fetch(target, { ...options, tls: { ca: cert } }),
    respond: () => new Response(jwks(0)),
    fetchCount: 0,
    [Symbol.dispose]: () => void server.stop(true),
  };
  return keyServer;
}

/** A clock that stands still until a test advances it. */
export class ManualClock implements KeyClock {
  #nowMs = 0;
  readonly #timers = new Map<() => void, number>();

  now(): number {
    return this.#nowMs;
  }

  setTimer(callback: () => void, delayMs: number): () => void {
    // Each timer has a function of its own, also when the callback is the same.
    const timer = () => callback();
    this.#timers.set(timer, this.#nowMs + delayMs);
    return () => this.#timers.delete(timer);
  }

  /** Calls the timers that are due on the way, in their order. */
  advance(durationMs: number): void {
    const endMs = this.#nowMs + durationMs;
    for (;;) {
      const [next] = [...this.#timers].filter(([, atMs]) => atMs <= endMs).sort(([, a], [, b]) => a - b);
      if (!next) break;
      const [timer, atMs] = next;
      this.#timers.delete(timer);
      this.#nowMs = Math.max(this.#nowMs, atMs);
      timer();
    }
    this.#nowMs = endMs;
  }
}
