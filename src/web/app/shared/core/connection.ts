/** Whether the service responds. Requests report what they see; while it does not, a probe asks again and again. */
import { useLayoutEffect } from "preact/hooks";
import { BASE } from "./base.ts";
import { Observable } from "./observable.ts";
import { tokenState } from "./token.ts";

/** Is undefined while the service responds; otherwise the time of the last response, as far as there was one. */
export const lostSince = new Observable<Date | undefined>(undefined);

const FIRST_PROBE_MS = 1000;
const MAX_PROBE_MS = 8000;
/** A proxy responds for a service that does not, and the service for a store that does not. */
const UNAVAILABLE = [502, 503, 504];

let lastResponse = new Date();
let timer: ReturnType<typeof setTimeout> | undefined;

export function isUnavailable(status: number): boolean {
  return UNAVAILABLE.includes(status);
}

export function reportResponse(): void {
  lastResponse = new Date();
  clearTimeout(timer);
  timer = undefined;
  lostSince.set(undefined);
}

export function reportLoss(): void {
  if (lostSince.value) return;
  lostSince.set(lastResponse);
  schedule(FIRST_PROBE_MS);
}

function schedule(waitMs: number): void {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    if (!(await isReachable())) schedule(Math.min(2 * waitMs, MAX_PROBE_MS));
  }, waitMs);
}

/** Asks the service, and reports what it finds. */
export async function isReachable(): Promise<boolean> {
  // A cheap request, which fails while the catalog cannot be read.
  const isResponding = await fetch(new URL("api/skus?limit=1", BASE), {
    method: "HEAD",
    headers: { Authorization: `Bearer ${tokenState.value.token}` },
  }).then(
    ({ status }) => !isUnavailable(status),
    () => false,
  );
  if (isResponding) reportResponse();
  else reportLoss();
  return isResponding;
}

// The browser knows before the next probe that the network is back.
addEventListener("online", () => {
  if (lostSince.value) isReachable();
});

/** Calls `retry` when the service responds again, if `isFailed` then. */
export function useReconnect(isFailed: boolean, retry: () => void): void {
  // Before the paint: the response to another request can come before an effect without layout.
  useLayoutEffect(() => (isFailed ? onReconnect(retry) : undefined), [isFailed]);
}

/** Calls `listener` at the next reconnection. Returns a function that ends this. */
export function onReconnect(listener: () => void): () => void {
  const end = lostSince.subscribe(() => {
    if (lostSince.value) return;
    end();
    listener();
  });
  return end;
}
