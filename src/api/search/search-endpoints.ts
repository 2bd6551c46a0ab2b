/** The endpoints /api/search, /api/facets and /api/quality. */

import { groupByWork } from "../../catalog/editions/editions.ts";
import { isbnOfBody } from "../../catalog/entry.ts";
import type { CatalogQuality, CountedBooks } from "../../catalog/quality/catalog-quality.ts";
import { bandOfKey } from "../../catalog/quality/price-bands.ts";
import { FACETS, type FacetName } from "../../catalog/search/properties.ts";
import {
  type Counted,
  type Facets,
  MAX_FACET_BOOKS,
  MAX_SORTED_BY_TITLE,
  type SearchKey,
  type SearchRequest,
  type SearchResult,
} from "../../catalog/search/search.ts";
import { SEARCH_RULES } from "../../catalog/search/search-document.ts";
import type { ReadableStore, Snapshot } from "../../catalog/store.ts";
import { SearchTooBroad, SearchUnavailable } from "../../catalog/store-errors.ts";
import type { LabelLanguage } from "../../catalog/subjects/subject-labels.ts";
import { BOOK_NEEDS } from "../../onix/completeness/needs.ts";
import type { Day } from "../../onix/date.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { recordsOf } from "../endpoints.ts";
import { ApiError, badRequest, searchTimeout, TOO_MANY_TO_SORT, tooManySearches } from "../errors.ts";
import { encodeQuery } from "../parameters/query.ts";
import type { JsonArray } from "../response/json-array.ts";
import { DocumentResult } from "../response/responder.ts";
import type { Endpoint, EndpointCaller } from "../route.ts";
import { facetLabel } from "./facet-labels.ts";
import { correctedHeader, correctedTag, withCorrection } from "./search-correction.ts";
import { decodeSearchCursor, encodeSearchCursor, isPlaceIn, type SearchPlace } from "./search-cursor.ts";
import {
  type FacetValues,
  type ParsedSearch,
  parsedQuery,
  type SearchValues,
  searchOf,
  selectionOf,
} from "./search-parameters.ts";

/** Imports may end between a search and the snapshot that the books are read from. */
const MAX_SEARCHES = 3;

export const searchBooks: Endpoint<SearchValues> = ({ store }, values, _choice, caller) => {
  const search = searchOf(values);
  if (search instanceof ApiError) return search;
  const name = nameOf(search);
  const place = search.cursor === undefined ? undefined : decodeSearchCursor(name, search.cursor);
  if (search.cursor !== undefined && !(place && isPlaceIn(search.sort, place.key))) return notOfThisSearch;
  const corrected = place?.corrected;
  const parsed = corrected === undefined ? search.query : parsedQuery(corrected, search.isTyping);
  if (parsed instanceof ApiError) return notOfThisSearch;
  // One more, to know whether another page follows.
  const { filters, sort, limit } = search;
  const request = { query: parsed, filters, sort, after: place?.key, limit: limit + 1 };
  return refusable(() => pageOfSearch(store, search, name, request, corrected, caller));
};

export const getFacets: Endpoint<FacetValues> = ({ store }, values, _choice, caller) => {
  const selection = selectionOf(values);
  if (selection instanceof ApiError) return selection;
  const { filters } = selection;
  return refusable(async () => {
    const { result: facets, corrected } = await withCorrection(
      store,
      selection,
      caller,
      (query) => store.facets({ query, filters }, caller),
      ({ counted }) => counted === 0,
    );
    const document = facetsDocument(facets, values.labels);
    return new DocumentResult(document, facets.revision, correctedHeader(corrected));
  });
};

export const notOfThisSearch = badRequest(
  "The cursor is not one of this query, these filters and this sort; take the URL from the Link of the page before.",
);

export const tooBroadForTitles = new ApiError(
  "badRequest",
  `The search finds more than ${MAX_SORTED_BY_TITLE} books, which cannot be sorted by title; add words or filters, or ` +
    "leave out sort.",
  { code: TOO_MANY_TO_SORT },
);

/** Searches, and opens a snapshot of the state that was searched. After some tries, that of a later one. */
async function pageOfSearch(
  store: ReadableStore,
  search: ParsedSearch,
  name: string,
  request: SearchRequest,
  correctedBefore: string | undefined,
  caller: EndpointCaller,
): Promise<JsonArray | ApiError> {
  const { isTyping, spelling } = search;
  const mayCorrect = { query: request.query, isTyping, spelling: request.after ? "off" : spelling } as const;
  for (let searches = 1; ; searches++) {
    const found = await withCorrection(
      store,
      mayCorrect,
      caller,
      (query) => store.search({ ...request, query }, caller),
      ({ keys }) => keys.length === 0,
    );
    const result = { ...found.result, corrected: found.corrected ?? correctedBefore };
    const error = searches === 1 ? await caller.takeListMemory() : undefined;
    if (error) return error;
    const snapshot = await store.snapshot();
    try {
      if (snapshot.revision === result.revision) return await pageOf(snapshot, search, name, result);
      if (searches === MAX_SEARCHES) return await pageOfPresent(snapshot, search, name, result);
    } catch (error) {
      snapshot.close();
      throw error;
    }
    snapshot.close();
  }
}

/** The books of a later state: those that are gone are left out. The validator names both states. */
async function pageOfPresent(
  snapshot: Snapshot,
  search: ParsedSearch,
  name: string,
  result: CorrectedResult,
): Promise<JsonArray> {
  const gone = new Set(await snapshot.missing(result.keys.map(({ isbn }) => isbn)));
  const state = `${result.revision}-${snapshot.revision}`;
  const page = await pageOf(snapshot, search, name, result, { state, isGone: ({ isbn }) => gone.has(isbn) });
  // No state of the catalog has this page, so it is not cached for one.
  return page.with({ state });
}

interface CorrectedResult extends SearchResult {
  readonly corrected: string | undefined;
}

interface OtherState {
  readonly state: string;
  readonly isGone: (key: SearchKey) => boolean;
}

async function pageOf(
  snapshot: Snapshot,
  search: ParsedSearch,
  name: string,
  { revision, keys, total, corrected }: CorrectedResult,
  other?: OtherState,
): Promise<JsonArray> {
  const { limit, view, group } = search;
  const page = keys.slice(0, limit);
  const last = keys.length > limit ? page.at(-1) : undefined;
  const isbns = (other ? page.filter((key) => !other.isGone(key)) : page).map(({ isbn }) => isbn);
  const headers = {
    ...(last && { Link: `<${nextQuery(search, name, { key: last, corrected })}>; rel="next"` }),
    "X-Total-Count": String(total),
    ...correctedHeader(corrected),
  };
  const state = `${other?.state ?? revision}-q${SEARCH_RULES}${correctedTag(corrected)}`;
  const used = corrected === undefined ? search.query : parsedQuery(corrected, search.isTyping);
  // The words of the query that was used are highlighted.
  const query = used instanceof ApiError ? search.query : used;
  if (group === undefined)
    return recordsOf(snapshot, { kind: "isbns", isbns }, view, { state, headers, query });
  const works = await groupByWork(snapshot, isbns);
  const edit = (body: Uint8Array) => withEditions(body, works.get(isbnOfBody(body)!));
  return recordsOf(snapshot, { kind: "isbns", isbns: [...works.keys()] }, view, {
    state,
    headers,
    edit,
    query,
  });
}

/** Adds the last member of a hit with other editions, without parsing it. */
function withEditions(body: Uint8Array, editions: readonly Isbn13[] = []): Uint8Array {
  if (editions.length === 0) return body;
  return Buffer.concat([
    body.subarray(0, -1),
    Buffer.from(`,"editions":${JSON.stringify(editions)}}`, "latin1"),
  ]);
}

/** A cursor is valid for the same query, filters and sort, however they are spelt. */
function nameOf({ query, filters, sort }: ParsedSearch): string {
  return `search ${JSON.stringify([query ?? null, filters, sort])}`;
}

/** RFC 8288 §3.1: a reference without a path is resolved against the URL of the request. */
function nextQuery(
  { queryString, sort, view, group, limit, query }: ParsedSearch,
  name: string,
  last: SearchPlace,
): string {
  const isDefaultSort = sort === (query === undefined ? "newest" : "relevance");
  const page = encodeQuery({
    sort: isDefaultSort ? undefined : sort,
    view: view === "summary" ? undefined : view,
    group,
    limit: String(limit),
    cursor: encodeSearchCursor(name, last),
  });
  return `?${[queryString, page].filter((part) => part !== "").join("&")}`;
}

/** The member names are those of the parameters that select a value. */
function facetsDocument({ facets, ...counted }: Facets, language: LabelLanguage): unknown {
  return {
    ...countedMembers(counted),
    facets: Object.fromEntries(FACETS.map((name) => [name, facet(name)])),
  };

  function facet(name: FacetName) {
    const { distinct, values, ...own } = facets[name];
    return {
      ...countedMembers(own),
      distinct,
      unlisted: distinct - values.length,
      values: values.map((each) => ({
        value: each.value,
        label: facetLabel(name, each, language),
        count: each.books,
      })),
    };
  }
}

function countedMembers({ counted, hasMore }: Counted) {
  return { total: hasMore ? `${MAX_FACET_BOOKS}+` : counted, counted };
}

/** A search beyond the limits is no failure of the store. */
export async function refusable<T>(task: () => Promise<T>): Promise<T | ApiError> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof SearchTooBroad) return tooBroadForTitles;
    if (!(error instanceof SearchUnavailable)) throw error;
    return error.reason === "busy" ? tooManySearches : searchTimeout;
  }
}

export const getQuality: Endpoint<{ readonly from: Day | undefined }> = (
  { store },
  { from },
  _choice,
  caller,
) =>
  refusable(async () => {
    const quality = await store.quality(from, caller);
    return new DocumentResult(qualityDocument(quality), quality.revision);
  });

function qualityDocument(quality: CatalogQuality): unknown {
  const { revision, all, imprints, otherImprints, withoutImprint } = quality;
  const { languages, forms, prices, months } = quality;
  return {
    revision,
    complete: quality.isComplete,
    ...countedBooks(all),
    imprints: imprints.map(({ slug, name, ...counted }) => ({ slug, name, ...countedBooks(counted) })),
    otherImprints: { imprints: otherImprints.imprints, ...countedBooks(otherImprints) },
    withoutImprint: countedBooks(withoutImprint),
    languages: languages.values,
    forms: forms.values,
    prices: prices.values.map(({ value, books }) => ({ ...priceBand(value), books })),
    months: months.values,
    unlisted: {
      languages: languages.others,
      forms: forms.others,
      prices: prices.others,
      months: months.others,
    },
  };
}

function priceBand(key: string) {
  const { currency, from, below } = bandOfKey(key);
  return { currency, from, below: below ?? null };
}

function countedBooks({ books, lacks }: CountedBooks) {
  return { books, has: Object.fromEntries(BOOK_NEEDS.map((need) => [need, books - lacks[need]])) };
}
