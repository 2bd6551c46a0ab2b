/** Loads data for a component, and forgets responses that came too late. */
import { useEffect, useState } from "preact/hooks";
import { isAborted } from "./api.ts";
import { useReconnect } from "./connection.ts";

export type Loading<T> =
  | { readonly kind: "loading"; readonly previous?: T | undefined }
  | { readonly kind: "loaded"; readonly value: T }
  | { readonly kind: "failed"; readonly error: unknown; readonly retry: () => void };

/** Loads whenever `key` changes. An older request is aborted. While loading, `previous` is the value before. */
export function useLoading<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loading<T> {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<Loading<T>>({ kind: "loading" });
  useEffect(() => {
    const controller = new AbortController();
    setState((before) => ({
      kind: "loading",
      previous: before.kind === "loaded" ? before.value : undefined,
    }));
    load(controller.signal).then(
      (value) => {
        if (!controller.signal.aborted) setState({ kind: "loaded", value });
      },
      (error) => {
        if (controller.signal.aborted || isAborted(error)) return;
        setState({ kind: "failed", error, retry: () => setAttempt((count) => count + 1) });
      },
    );
    return () => controller.abort();
  }, [key, attempt]);
  useReconnect(state.kind === "failed", () => setAttempt((count) => count + 1));
  return state;
}
