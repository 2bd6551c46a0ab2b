/** The store as a service reads it: its failures are told from our own, and its lookups are measured. */
import type { Batches, Store } from "./store.ts";
import {
  DamagedRecord,
  SearchTooBroad,
  SearchUnavailable,
  SnapshotExpired,
  StoreError,
} from "./store-errors.ts";
import { type Method, wrapStore } from "./wrap-store.ts";

/**
 * Whatever the members of this store throw is an error of the port: what the engine or its driver throws becomes the
 * cause of a `StoreError`. `onLookup` is called with the duration of each lookup, also of one that fails.
 */
export function instrumentStore(store: Store, onLookup?: (seconds: number) => void): Store {
  return wrapStore(store, (method, _name, kind) => {
    if (kind === "list") return (...args) => listErrors(method, args);
    return kind === "lookup" && onLookup ? timedCall(method, onLookup) : plainCall(method);
  });
}

/** Creates no closure and no array per call, for the speed of lookups. */
function plainCall(method: Method): Method {
  return (a, b, c) => {
    try {
      const result = method(a, b, c);
      return result instanceof Promise ? result.catch(fail) : result;
    } catch (error) {
      return fail(error);
    }
  };
}

function timedCall(method: Method, onLookup: (seconds: number) => void): Method {
  return (a, b, c) => {
    const startedAtMs = performance.now();
    try {
      const result = method(a, b, c);
      if (result instanceof Promise) {
        return result.finally(() => onLookup(secondsSince(startedAtMs))).catch(fail);
      }
      onLookup(secondsSince(startedAtMs));
      return result;
    } catch (error) {
      onLookup(secondsSince(startedAtMs));
      return fail(error);
    }
  };
}

function secondsSince(startedAtMs: number): number {
  return (performance.now() - startedAtMs) / 1000;
}

function listErrors(method: Method, args: unknown[]): Batches<unknown> {
  let batches: Batches<unknown>;
  try {
    batches = method(...args);
  } catch (error) {
    return fail(error);
  }
  return Symbol.iterator in batches ? syncErrors(batches) : asyncErrors(batches);
}

function* syncErrors<T>(batches: Iterable<readonly T[]>): Generator<readonly T[], void> {
  try {
    yield* batches;
  } catch (error) {
    fail(error);
  }
}

async function* asyncErrors<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<readonly T[], void> {
  try {
    yield* batches;
  } catch (error) {
    fail(error);
  }
}

const PORT_ERRORS = [StoreError, SnapshotExpired, DamagedRecord, SearchUnavailable, SearchTooBroad];

function fail(error: unknown): never {
  if (PORT_ERRORS.some((kind) => error instanceof kind)) throw error;
  throw new StoreError("The store failed.", { cause: error });
}
