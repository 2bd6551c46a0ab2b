/** Searches again when a query finds nothing, and tells the client the query that was used. */
import type { SearchQuery } from "../../catalog/search/query.ts";
import { queryText } from "../../catalog/search/query.ts";
import type { ReadableStore } from "../../catalog/store.ts";
import { ApiError } from "../errors.ts";
import type { EndpointCaller } from "../route.ts";
import { type ParsedSelection, parsedQuery } from "./search-parameters.ts";

interface Corrected<T> {
  readonly result: T;
  /** The query that was used instead of that of the request. */
  readonly corrected: string | undefined;
}

/** Searches and, when the query finds nothing in the whole catalog, searches again with its correction. */
export async function withCorrection<T>(
  store: ReadableStore,
  { query, isTyping, spelling }: Pick<ParsedSelection, "query" | "isTyping" | "spelling">,
  caller: EndpointCaller,
  search: (query: SearchQuery | undefined) => Promise<T>,
  isEmpty: (result: T) => boolean,
): Promise<Corrected<T>> {
  const result = await search(query);
  if (query === undefined || spelling === "off" || !isEmpty(result)) return { result, corrected: undefined };
  const correction = await store.correct(query, caller);
  if (correction.query === undefined) return { result, corrected: undefined };
  const corrected = queryText(correction.query);
  // As the next page reads it: when the last word was left out, the one before it may be the beginning of a word, too.
  const used = isTyping ? parsedQuery(corrected, true) : correction.query;
  return { result: await search(used instanceof ApiError ? correction.query : used), corrected };
}

/** The header is there whenever another query was used, also when the filters leave none of its books. */
export function correctedHeader(corrected: string | undefined): Readonly<Record<string, string>> {
  return corrected === undefined ? {} : { "X-Search-Corrected": encodeURIComponent(corrected) };
}
