/** Puts something around every member of a store, for tests and measurements, without naming the members one by one. */
import { type Awaitable, then } from "../lib/awaitable.ts";
import type { Batches, Snapshot, Store } from "./store.ts";

/** What a method returns: the result of a lookup, which is measured, that of another call, or a list in batches. */
type MethodKind = "lookup" | "call" | "list";

/**
 * Describes each member of an object. The type checker demands an entry for every member of the port. A method has at
 * most three parameters: passing an array of arguments would cost a lookup more than all the rest here.
 */
type Members<T> = {
  readonly [Name in keyof T]-?: NonNullable<T[Name]> extends (a: never, b: never, c: never) => infer Result
    ? MethodMember<Result>
    : NonNullable<T[Name]> extends object
      ? Members<NonNullable<T[Name]>>
      : "value";
};

type MethodMember<Result> =
  Result extends Batches<unknown>
    ? "list"
    : Result extends Awaitable<Snapshot>
      ? Members<Snapshot>
      : "lookup" | "call";

type AnyMembers = { readonly [name: string]: MethodKind | "value" | AnyMembers };

/** Lists are no lookups, because their duration depends on the client. */
const SNAPSHOT: Members<Snapshot> = {
  revision: "value",
  hasImprint: "lookup",
  missing: "lookup",
  bodies: "list",
  summaryStarts: "list",
  editionLinks: "lookup",
  keys: "lookup",
  total: "lookup",
  history: "lookup",
  changes: "lookup",
  entries: "list",
  lastImportId: "call",
  isbns: "list",
  imprints: "list",
  close: "call",
};

const STORE: Members<Store> = {
  revision: "call",
  record: "lookup",
  // Runs once per event-loop tick and would hide the durations of the lookups.
  lookupTransaction: { begin: "call", lastImportId: "call", subjectsVersion: "call", end: "call" },
  snapshot: SNAPSHOT,
  // Searches take much longer than lookups, and have a route of their own in the durations of requests.
  search: "call",
  correct: "call",
  facets: "call",
  quality: "call",
  stats: "call",
  load: "call",
  tokens: { add: "call", list: "call", revoke: "call", isRevoked: "call" },
  beginImport: "call",
  recordFailedImport: "call",
  appliedFeeds: "call",
  importHistory: { list: "lookup", get: "lookup", latest: "lookup", originOf: "lookup" },
  subjects: { digests: "lookup", read: "call", replace: "call" },
  beginPreview: "call",
  close: "call",
};

// biome-ignore lint/suspicious/noExplicitAny: methods of any type are passed through.
export type Method = (...args: any[]) => any;

/** Returns what is called instead of a method. `name` is that of the member, such as `record` or `snapshot.total`. */
type WrapMethod = (method: Method, name: string, kind: MethodKind) => Method;

/** Returns a store whose methods, those of its parts and of its snapshots included, are wrapped, each once. */
export function wrapStore(store: Store, wrap: WrapMethod): Store {
  return wrapMembers(store, STORE, wrap, "");
}

function wrapMembers<T extends object>(target: T, members: Members<T>, wrap: WrapMethod, path: string): T {
  const wrapped: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(members as AnyMembers)) {
    const value = target[name as keyof T] as unknown;
    if (typeof value === "function")
      wrapped[name] = wrapMethod((a, b, c) => value.call(target, a, b, c), path + name, member, wrap);
    else if (typeof value === "object")
      wrapped[name] = wrapMembers(value!, member as never, wrap, `${name}.`);
    else wrapped[name] = value;
  }
  return wrapped as T;
}

function wrapMethod(method: Method, name: string, member: AnyMembers[string], wrap: WrapMethod): Method {
  if (typeof member === "string") return wrap(method, name, member as MethodKind);
  const open = wrap(method, name, "lookup") as () => Awaitable<Snapshot>;
  return () => then(open(), (snapshot) => wrapMembers(snapshot, member as never, wrap, `${name}.`));
}
