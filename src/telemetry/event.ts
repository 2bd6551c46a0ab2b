/** The events of a running service. The log and the metrics both observe them, each for its own purpose. */
import type { Caller } from "../catalog/token-registry.ts";

/** A response was sent, with any status. There is one such event per request, so observers must be fast. */
export interface RequestEvent {
  readonly kind: "request";
  readonly id: string;
  /** The address of the client. Empty when the system does not tell it. */
  readonly client: string;
  readonly method: string;
  /** Excludes the query, where a client may have put a secret by mistake. */
  readonly path: string;
  /** The id of the endpoint (`getBook`), `page` or `unknown`. It never contains text of the client. */
  readonly route: string;
  readonly status: number;
  readonly bodyBytes: number;
  readonly seconds: number;
  /** From the request to the first byte of the response. Undefined when the client left before it. */
  readonly firstByteSeconds: number | undefined;
  /** Undefined when the request was not authenticated. */
  readonly caller: Caller | undefined;
  readonly cacheHit: boolean;
  /** False when the response was cut off. */
  readonly complete: boolean;
}

/** A request failed with 500 or 503, or its list was cut off by an error of the service. */
export interface RequestFailedEvent extends Pick<RequestEvent, "client" | "method" | "path" | "route"> {
  readonly kind: "failed";
  /** The request id that the client received. */
  readonly id: string;
  readonly error: unknown;
}

/** An error that belongs to no request. */
export interface FaultEvent {
  readonly kind: "fault";
  readonly error: unknown;
}

/** Why a connection was closed without a request. */
export const REFUSAL_REASONS = ["connections", "descriptors", "not-http", "too-large", "too-slow"] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** Bytes that are not a valid request, or a connection beyond the limits, were refused. */
export interface RefusedEvent {
  readonly kind: "refused";
  readonly reason: RefusalReason;
  readonly client: string;
  /** The id that the client received. Undefined when the connection was closed without a response. */
  readonly id?: string | undefined;
}

/** The public keys were read again: on demand (SIGHUP), because it was time, or for a token with an unknown `kid`. */
export interface KeysEvent {
  readonly kind: "keys";
  /**
   * With `withdrawn`, no key is left and every token is rejected. With `failed`, the previous keys stay in use for
   * `remainingMs`. With `expired`, that has passed, and every token is answered with 503.
   */
  readonly outcome: "changed" | "unchanged" | "withdrawn" | "failed" | "expired";
  readonly reason: "demand" | "time" | "unknown-kid";
  readonly error?: unknown;
  readonly remainingMs?: number;
}

/** What became of a feed in the folder of `--watch`, or of an attempt to import it or the sample. */
export const FEED_OUTCOMES = ["changed", "unchanged", "refused", "postponed"] as const;
type FeedOutcome = (typeof FEED_OUTCOMES)[number];

interface FeedEvent {
  readonly kind: "feed";
  readonly outcome: FeedOutcome;
  /** The name below the watched folder. */
  readonly feed: string;
  readonly sender?: string | undefined;
  readonly products?: number;
  readonly rejected?: number;
  readonly seconds?: number;
  /** Where the feed is now, below the watched folder. */
  readonly movedTo?: string;
  readonly reason?: string;
}

export type ServiceEvent =
  | RequestEvent
  | RequestFailedEvent
  | FaultEvent
  | {
      readonly kind: "started";
      readonly url: string;
      readonly version: string;
      readonly workers: number;
      readonly books: number;
    }
  /** `reason` is the name of the signal. */
  | { readonly kind: "stopping"; readonly reason: string }
  /** `cutConnections` still had a response in flight when the stop timeout ended. */
  | { readonly kind: "stopped"; readonly seconds: number; readonly cutConnections: number }
  | KeysEvent
  /** The file of the catalog was replaced or removed, so that requests fail; it is served again; it cannot be written. */
  | { readonly kind: "catalog"; readonly state: "lost" | "read-only"; readonly reason: string }
  | { readonly kind: "catalog"; readonly state: "opened"; readonly path: string }
  /** `reason` is the exit code or the signal of a worker that died. */
  | {
      readonly kind: "worker";
      readonly state: "died" | "replaced";
      readonly pid: number;
      readonly reason?: string;
    }
  | FeedEvent
  /**
   * The state of a watched folder. `silent`: the process that watches it does not respond. `died`: it has ended, and is
   * started again.
   */
  | {
      readonly kind: "watch";
      readonly state: "watched" | "waiting" | "blocked" | "skipped" | "left" | "silent" | "died";
      readonly folder: string;
      readonly reason?: string;
    }
  /** The command of `--on-import` has failed. */
  | { readonly kind: "hook"; readonly feed: string; readonly reason: string }
  /** The feeds that are not taken yet, and for how long the oldest has been there. */
  | { readonly kind: "backlog"; readonly feeds: number; readonly oldestSeconds: number }
  | RefusedEvent
  /** A lookup in the store ended, with a result or an error. */
  | { readonly kind: "store"; readonly seconds: number };

/** An observer must not throw. */
export type Observer = (event: ServiceEvent) => void;
