/** The bearer token of this browser. The OpenAPI page uses the same one. */
import { Observable } from "./observable.ts";
import { onStored, readSetting, STORAGE_KEYS, writeSetting } from "./settings.ts";

export type TokenState =
  | { readonly kind: "missing"; readonly token: "" }
  | { readonly kind: "usable" | "rejected"; readonly token: string };

export const tokenState = new Observable(storedState());

function storedState(): TokenState {
  return stateOf(readSetting(STORAGE_KEYS.token) ?? "");
}

function stateOf(token: string): TokenState {
  return token === "" ? { kind: "missing", token } : { kind: "usable", token };
}

/**
 * People paste the whole header, or a token with the line breaks of a terminal or the invisible characters of a chat. A
 * header field with these cannot be sent, which would look as if the service did not respond.
 */
export function cleanToken(text: string): string {
  return text.replace(/^\s*(authorization:)?\s*(bearer\s)?/i, "").replace(/[^!-~]+/g, "");
}

/** Stores a token in this browser. Empty text removes it. */
export function setToken(text: string): void {
  const token = cleanToken(text);
  writeSetting(STORAGE_KEYS.token, token || undefined);
  tokenState.set(stateOf(token));
}

/** Marks a token that got a 401 as rejected, unless it was replaced meanwhile. */
export function rejectToken(token: string): void {
  const state = tokenState.value;
  if (state.kind === "usable" && state.token === token) tokenState.set({ kind: "rejected", token });
}

/** Resolves with a token, as soon as there is one that is not rejected. */
export function usableToken(signal?: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const check = () => {
    if (tokenState.value.kind === "usable") resolve(tokenState.value.token);
  };
  const unsubscribe = tokenState.subscribe(check);
  signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  check();
  return promise.finally(unsubscribe);
}

// Another tab, or the OpenAPI page in one, has changed the token. Storing it once more would undo what that tab does next.
onStored(() => {
  const stored = storedState();
  if (stored.token !== tokenState.value.token) tokenState.set(stored);
});
