/** Requests to the API of this service, with the token. Built on the transport of the client. */
import { ColophonError, errorOf } from "../../../../client/errors.ts";
import { nextUrl } from "../../../../client/list.ts";
import { type JsonResponse, type Query, Transport } from "../../../../client/transport.ts";
import { BASE } from "./base.ts";
import { isUnavailable, reportLoss, reportResponse } from "./connection.ts";
import { rejectToken, usableToken } from "./token.ts";

export { ColophonError };

/** A person does not wait for a minute: after two more attempts, the page tells what is wrong. */
const RETRIES = 2;
const MAX_WAIT_MS = 2000;
const UNAUTHORIZED = 401;

let currentToken = "";
const transport = new Transport({
  url: BASE,
  token: () => currentToken,
  retries: RETRIES,
  maxWaitMs: MAX_WAIT_MS,
});

/**
 * Reads a path below `api/`. Waits for a token when there is none; a rejected one is asked for again. Throws
 * `ColophonError` for other errors, and the reason of the signal when that is aborted.
 */
export async function get<T>(
  path: string,
  query: Query = {},
  signal?: AbortSignal,
): Promise<JsonResponse<T>> {
  return await getUrl<T>(transport.urlOf(path, query), signal);
}

/** Reads an absolute URL of the API, such as that of the next page. */
export async function getUrl<T>(url: string, signal?: AbortSignal): Promise<JsonResponse<T>> {
  return await withToken(() => transport.until(signal).get<T>(url), signal);
}

async function withToken<T>(
  send: (token: string) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (;;) {
    const token = await usableToken(signal);
    currentToken = token;
    try {
      const response = await send(token);
      reportResponse();
      return response;
    } catch (error) {
      report(error, signal);
      if (!(error instanceof ColophonError) || error.status !== UNAUTHORIZED) throw error;
      rejectToken(token);
    }
  }
}

/** An error of the API is a response, too. */
function report(error: unknown, signal: AbortSignal | undefined): void {
  if (error instanceof ColophonError && !isUnavailable(error.status)) reportResponse();
  else if (!signal?.aborted && !isAborted(error)) reportLoss();
}

export interface TextPage {
  readonly text: string;
  readonly nextUrl: string | undefined;
}

/** Reads a path as text, such as the ONIX of a book. The query says which format. */
export async function getText(path: string, query: Query, signal?: AbortSignal): Promise<TextPage> {
  return await getTextAt(transport.urlOf(path, query), signal);
}

/** Reads an absolute URL, such as that of the next page, as text. */
export async function getTextAt(url: string, signal?: AbortSignal): Promise<TextPage> {
  return await withToken(async (token) => {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(url, { headers, ...(signal && { signal }) });
    if (!response.ok) throw await errorOf(response, url);
    return { text: await response.text(), nextUrl: nextUrl(response.headers, url) };
  }, signal);
}

/** Returns the URL of the next page, if there is one. */
export function nextPageOf({ headers, url }: JsonResponse<unknown>): string | undefined {
  return nextUrl(headers, url);
}

export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
