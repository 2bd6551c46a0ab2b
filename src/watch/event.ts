/** What happens in a service that its operator may want to know: the log and the metrics choose from it. */

/** Whose token it was: its `jti` and `sub`. */
export interface Caller {
  readonly id: string | undefined;
  readonly name: string | undefined;
}

/** A request was answered, whatever the answer. It comes with every request: whoever listens must be quick. */
export interface Answered {
  readonly kind: "answered";
  readonly id: string;
  readonly method: string;
  /** Without the query: there may be a secret in it that somebody took for a parameter. */
  readonly path: string;
  /** The id of the endpoint (`getBook`), `page`, or `unknown`: one of a few, never what a client made up. */
  readonly route: string;
  readonly status: number;
  /** Of the body that was sent. */
  readonly bytes: number;
  readonly seconds: number;
  /** Undefined: nobody was let in, or nobody had to be. */
  readonly caller: Caller | undefined;
  /** The answer came from the cache. */
  readonly kept: boolean;
  /** False: it broke off before its end. */
  readonly whole: boolean;
}

/** Why there was not even a request to answer. */
export const REFUSALS = ["connections", "not-http", "too-large", "too-slow"] as const;
export type Refusal = (typeof REFUSALS)[number];

export type Event =
  | Answered
  /** Behind each 500 and 503, and each list that broke off by our own fault. `id` is what the client was told. */
  | {
      readonly kind: "failed";
      readonly id: string;
      readonly method: string;
      readonly path: string;
      readonly error: unknown;
    }
  /** An error that belongs to no request. */
  | { readonly kind: "fault"; readonly error: unknown }
  | { readonly kind: "started"; readonly url: string; readonly version: string; readonly workers: number }
  /** By which signal, or why else. */
  | { readonly kind: "stopping"; readonly why: string }
  /** `cut`: connections on which an answer was under way when patience ended. */
  | { readonly kind: "stopped"; readonly seconds: number; readonly cut: number }
  /** Keys were read again; with an error, they could not be, and those in use stay. */
  | { readonly kind: "keys"; readonly error?: unknown }
  /** `why`: its exit code or signal. */
  | {
      readonly kind: "worker";
      readonly state: "died" | "replaced";
      readonly pid: number;
      readonly why?: string;
    }
  | { readonly kind: "refused"; readonly why: Refusal }
  /** The store was asked and has answered, or failed to. */
  | { readonly kind: "store"; readonly seconds: number };

/** Must not throw. */
export type Observe = (event: Event) => void;

/** One that tells all of them. */
export function observers(...all: readonly Observe[]): Observe {
  const [first, second] = all;
  if (!first) return () => {};
  if (!second) return first;
  if (all.length > 2) return observers(first, observers(...all.slice(1)));
  return (event) => {
    first(event);
    second(event);
  };
}
