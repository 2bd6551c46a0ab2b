/** Loads data for a component, and forgets responses that came too late. */
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { Query } from "../../../../client/transport.ts";
import { get, isAborted } from "./api.ts";
import { onReconnect, useReconnect } from "./connection.ts";
import { Observable, useObservable } from "./observable.ts";

export type Loading<T> =
  | { readonly kind: "loading"; readonly previous?: T | undefined }
  | { readonly kind: "loaded"; readonly value: T }
  | { readonly kind: "failed"; readonly error: unknown; readonly retry: () => void };

type Result<T> = { readonly value: T } | { readonly error: unknown };

/** Loads whenever `key` changes. An older request is aborted. While loading, `previous` is the last value. */
export function useLoading<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loading<T> {
  const [attempt, setAttempt] = useState(0);
  const [last, setLast] = useState<{ readonly request: string; readonly result: Result<T> }>();
  const request = `${attempt} ${key}`;
  // An effect without layout waits for a paint, and the request with it.
  useLayoutEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    load(signal).then(
      (value) => {
        if (!signal.aborted) setLast({ request, result: { value } });
      },
      (error) => {
        if (!signal.aborted && !isAborted(error)) setLast({ request, result: { error } });
      },
    );
    return () => controller.abort();
  }, [request]);
  const retry = () => setAttempt((count) => count + 1);
  const isCurrent = last?.request === request;
  useReconnect(isCurrent && "error" in last.result, retry);
  if (!isCurrent)
    return { kind: "loading", previous: last && "value" in last.result ? last.result.value : undefined };
  return "value" in last.result
    ? { kind: "loaded", ...last.result }
    : { kind: "failed", ...last.result, retry };
}

/** Returns what a page can do without: undefined until it is loaded, when it cannot be, and without a path. */
export function useBody<T>(path: string | undefined, query: Query = {}): T | undefined {
  const loading = useLoading(JSON.stringify([path, query]), async (signal) =>
    path === undefined ? undefined : (await get<T>(path, query, signal)).body,
  );
  return loading.kind === "loaded" ? loading.value : undefined;
}

/**
 * Returns a hook for a table that components share. It is loaded when one of them needs it, and undefined until then. A
 * failure makes it `none`, until the service responds again or another component needs it.
 */
export function loadedOnce<T>(load: () => Promise<T>, none: T): (isNeeded?: boolean) => T | undefined {
  const table = new Observable<T | undefined>(undefined);
  let isLoading = false;
  const start = () => {
    if (isLoading || (table.value !== undefined && table.value !== none)) return;
    isLoading = true;
    load()
      .then((loaded) => table.set(loaded))
      .catch(() => {
        table.set(none);
        onReconnect(start);
      })
      .finally(() => {
        isLoading = false;
      });
  };
  return function useTable(isNeeded = true) {
    useEffect(() => {
      if (isNeeded) start();
    }, [isNeeded]);
    return useObservable(table);
  };
}
