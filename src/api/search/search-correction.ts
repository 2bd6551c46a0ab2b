/** Searches again when a query finds nothing, and tells the client the query that was used. */
import { etagOf } from "../../catalog/entry.ts";
import type { SearchQuery } from "../../catalog/search/query.ts";
import { queryText } from "../../catalog/search/query.ts";
import type { ReadableStore } from "../../catalog/store.ts";
import { ApiError } from "../errors.ts";
import type { EndpointCaller } from "../route.ts";
import { type ParsedSelection, parsedQuery } from "./search-parameters.ts";

/** After an import between two searches, the revision names all states that were searched. */
interface Corrected<T> {
  readonly result: T;
  /** The query that was used instead of that of the request. */
  readonly corrected: string | undefined;
}

/** Searches and, when the query finds nothing in the whole catalog, searches again with its correction. */
export async function withCorrection<T extends { readonly revision: string }>(
  store: ReadableStore,
  { query, isTyping, spelling }: Pick<ParsedSelection, "query" | "isTyping" | "spelling">,
  caller: EndpointCaller,
  search: (query: SearchQuery | undefined) => Promise<T>,
  isEmpty: (result: T) => boolean,
): Promise<Corrected<T>> {
  const result = await search(query);
  if (query === undefined || spelling === "off" || !isEmpty(result)) return { result, corrected: undefined };
  const correction = await store.correct(query, caller);
  const searched = (...revisions: readonly string[]) =>
    [...new Set([...revisions, correction.revision])].join("-");
  if (correction.query === undefined)
    return { result: { ...result, revision: searched(result.revision) }, corrected: undefined };
  const corrected = queryText(correction.query);
  // As the next page reads it: when the last word was left out, the one before it may be the beginning of a word, too.
  const used = isTyping ? parsedQuery(corrected, true) : correction.query;
  const found = await search(used instanceof ApiError ? correction.query : used);
  return { result: { ...found, revision: searched(result.revision, found.revision) }, corrected };
}

/** Returns the part of a validator that names the correction. It also depends on the words of books that are gone. */
export function correctedTag(corrected: string | undefined): string {
  return corrected === undefined ? "" : `-${etagOf(Buffer.from(corrected)).slice(0, 16)}`;
}

/** The header is there whenever another query was used, also when the filters leave none of its books. */
export function correctedHeader(corrected: string | undefined): Readonly<Record<string, string>> {
  return corrected === undefined ? {} : { "X-Search-Corrected": encodeURIComponent(corrected) };
}
