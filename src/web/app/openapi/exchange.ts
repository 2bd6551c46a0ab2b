/** Sends a request and reads its response: the start to be shown, and the whole to be saved. */
import type { ApiRequest } from "./request.ts";

/** More text slows down the browser, and nobody reads it. */
export const MAX_SHOWN_CHARS = 100_000;
/** A longer body is not kept: it belongs into a file that curl writes. */
export const MAX_KEPT_BYTES = 100_000_000;

export interface ReceivedResponse {
  readonly status: number;
  readonly statusText: string;
  /** From the request to the header fields. */
  readonly durationMs: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly type: string;
  /** The body, or the first characters of it. */
  readonly start: string;
  /** The characters read so far are more than `start`. */
  readonly isCut: boolean;
  readonly bytes: number;
  /** The whole body. Is undefined while it is being read, and when it is too long. */
  readonly body: Blob | undefined;
  readonly isReading: boolean;
}

/** Calls `show` with the response as soon as there is something to show, and once more at its end. */
export async function exchange(
  { url, headers }: ApiRequest,
  signal: AbortSignal,
  show: (response: ReceivedResponse) => void,
): Promise<void> {
  const sentAt = performance.now();
  // The page shows what the service has sent, and not what the browser has stored.
  const response = await fetch(url, { headers, signal, cache: "no-store" });
  const durationMs = Math.round(performance.now() - sentAt);
  const type = response.headers.get("content-type") ?? "";
  const received = {
    status: response.status,
    statusText: response.statusText,
    durationMs,
    headers: [...response.headers],
    type,
  };
  const decoder = new TextDecoder();
  let start = "";
  const isCut = () => start.length > MAX_SHOWN_CHARS;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let isShown = false;
  const stateOf = (rest: Pick<ReceivedResponse, "body" | "isReading">): ReceivedResponse => ({
    ...received,
    start: start.slice(0, MAX_SHOWN_CHARS),
    isCut: isCut(),
    bytes,
    ...rest,
  });
  const reader = response.body?.getReader();
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
    if (done || value === undefined) break;
    if (!isCut()) start += decoder.decode(value, { stream: true });
    chunks.push(value);
    bytes += value.length;
    if (bytes > MAX_KEPT_BYTES) {
      await reader?.cancel();
      show(stateOf({ body: undefined, isReading: false }));
      return;
    }
    if (isCut() && !isShown) {
      isShown = true;
      show(stateOf({ body: undefined, isReading: true }));
    }
  }
  if (!isCut()) start += decoder.decode();
  show(stateOf({ body: new Blob(chunks, { type }), isReading: false }));
}

const EXTENSIONS: readonly (readonly [type: RegExp, extension: string])[] = [
  [/ndjson/, "ndjson"],
  [/json/, "json"],
  [/csv/, "csv"],
  [/xml/, "xml"],
];

/** Returns a name for the file of a response, such as `isbn-9789999901116.csv`. */
export function fileName(url: string, type: string): string {
  const path = decodeURIComponent(new URL(url).pathname).replace(/^.*\/api\//, "");
  const name = path.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60);
  const extension = EXTENSIONS.find(([pattern]) => pattern.test(type))?.[1] ?? "txt";
  return `${name}.${extension}`;
}
