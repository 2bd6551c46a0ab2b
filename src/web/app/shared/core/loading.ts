/** Loads data for a component, and forgets responses that came too late. */
import { useLayoutEffect, useState } from "preact/hooks";
import { isAborted } from "./api.ts";
import { useReconnect } from "./connection.ts";

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
