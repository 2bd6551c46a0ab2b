/** Summaries of books, as the lists of the page show them. */
import type { Summary } from "../../../../client/generated/book.ts";
import type { JsonResponse, Query } from "../../../../client/transport.ts";
import { decodeEntities } from "../../../../onix/summary/plain-text.ts";
import { get, getUrl } from "./api.ts";

type Page = JsonResponse<readonly Summary[]>;

export async function getSummaries(path: string, query: Query, signal: AbortSignal): Promise<Page> {
  return decoded(await get(path, query, signal));
}

/** Reads an absolute URL, such as that of the next page. */
export async function getSummariesAt(url: string, signal: AbortSignal): Promise<Page> {
  return decoded(await getUrl(url, signal));
}

/** Many feeds escape names and titles twice: readers would see `&#39;`. Descriptions are decoded at import. */
function decoded(page: Page): Page {
  return {
    ...page,
    body: page.body.map((book) => ({ ...withoutEntities(book), description: book.description })),
  };
}

function withoutEntities<T>(value: T): T {
  if (typeof value === "string") return decodeEntities(value) as T;
  if (Array.isArray(value)) return value.map(withoutEntities) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutEntities(each)])) as T;
}
