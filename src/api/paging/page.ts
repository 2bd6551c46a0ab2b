/** Pages of lists: keyset pagination, with the next page in `Link` and the length of the list in `X-Total-Count`. */

import type { ListKey, PagedList } from "../../catalog/selection.ts";
import type { Snapshot } from "../../catalog/store.ts";
import type { Day } from "../../onix/date.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { type ApiError, badRequest } from "../errors.ts";
import { encodeQuery } from "../parameters/query.ts";
import type { PageRequest } from "../parameters/shared-parameters.ts";
import type { JsonArray } from "../response/json-array.ts";
import { type Cursor, decodeCursor, encodeCursor } from "./cursor.ts";

export const cursorOfOtherList = badRequest(
  "The cursor is not one of this list; take the URL from the Link of the page before.",
);
export const PAGE_ERRORS = {
  "Cursor without limit": badRequest(
    "Give limit with cursor; take the URL from the Link of the page before.",
  ),
  "Cursor of another list": cursorOfOtherList,
};

export interface PagedRequest {
  readonly list: PagedList;
  /** Names the endpoint and its filters: a cursor is valid for one name. */
  readonly name: string;
  readonly limit: number;
  readonly after: ListKey | undefined;
  /** Stands in the cursor of a list that depends on the day of its first page. */
  readonly lastDay?: Day | undefined;
  /** The parameters of the request beside `limit` and `cursor`. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
}

/** Returns where the page begins: undefined for the first one, and for the whole list. */
export function pageStart(list: string, { limit, cursor }: PageRequest): Cursor | undefined | ApiError {
  if (cursor === undefined) return undefined;
  if (limit === undefined) return PAGE_ERRORS["Cursor without limit"];
  return decodeCursor(list, cursor) ?? cursorOfOtherList;
}

/**
 * Reads the keys of a page, and one more to know whether another page follows. `arrayOf` returns the page with these
 * books and header fields. A page without a total is not cached: the next one may have it.
 */
export async function readPage(
  snapshot: Snapshot,
  totals: ListTotals,
  { list, limit, after, ...request }: PagedRequest,
  arrayOf: (isbns: readonly Isbn13[], headers: Readonly<Record<string, string>>) => JsonArray,
): Promise<JsonArray> {
  const keys = await snapshot.keys(list, after, limit + 1);
  const total = await totals.of(snapshot, list);
  const last = keys.length > limit ? keys[limit - 1] : undefined;
  const array = arrayOf(
    keys.slice(0, limit).map(({ isbn }) => isbn),
    {
      ...(last && { Link: `<${nextQuery({ ...request, limit }, last)}>; rel="next"` }),
      ...(total !== undefined && { "X-Total-Count": String(total) }),
    },
  );
  return total === undefined ? array.with({ etag: `${array.etag}-uncounted`, state: "uncounted" }) : array;
}

/** RFC 8288 §3.1: a reference without a path is resolved against the URL of the request, whatever prefix a proxy adds. */
function nextQuery(
  { name, limit, lastDay, parameters }: Omit<PagedRequest, "list" | "after">,
  key: ListKey,
): string {
  const cursor = encodeCursor(name, { key, lastDay });
  return `?${encodeQuery({ ...parameters, limit: String(limit), cursor })}`;
}

/** Each takes about 200 bytes. */
const MAX_LISTS = 1000;

/** A list that took too long to count is counted again after this time. The database may have become faster. */
const RETRY_AFTER_MS = 60_000;

interface Counted {
  /** Undefined when counting took too long. */
  readonly total: number | undefined;
  readonly atMs: number;
}

/** The lengths of lists: each is counted once for each state of the catalog. */
export class ListTotals {
  #revision = "";
  readonly #counted = new Map<string, Counted>();
  readonly #now: () => number;

  /** `now` returns milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  async of(snapshot: Pick<Snapshot, "revision" | "total">, list: PagedList): Promise<number | undefined> {
    const key = JSON.stringify(list);
    const known = this.#revision === snapshot.revision ? this.#counted.get(key) : undefined;
    if (known && (known.total !== undefined || this.#now() < known.atMs + RETRY_AFTER_MS)) return known.total;
    const total = await snapshot.total(list);
    if (this.#revision !== snapshot.revision || this.#counted.size >= MAX_LISTS) this.#counted.clear();
    this.#revision = snapshot.revision;
    this.#counted.set(key, { total, atMs: this.#now() });
    return total;
  }
}
