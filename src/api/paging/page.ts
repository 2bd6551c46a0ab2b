/** Pages of lists: keyset pagination, with the next page in `Link` and the length of the list in `X-Total-Count`. */
import type { ListKey, PagedList, Snapshot } from "../../catalog/store.ts";
import type { Day } from "../../onix/date.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { type ApiError, badRequest } from "../errors.ts";
import { type Cursor, decodeCursor, encodeCursor } from "./cursor.ts";
import type { ListTotals } from "./list-totals.ts";

/** The parameters of a page. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor: string | undefined;
}

export interface PagedRequest {
  readonly list: PagedList;
  /** Names the endpoint and its filters: a cursor is valid for one name. */
  readonly name: string;
  readonly limit: number;
  readonly after: ListKey | undefined;
  /** Is in the cursor of a list that depends on the day of its first page. */
  readonly lastDay?: Day | undefined;
  /** The parameters of the request beside `limit` and `cursor`. Their values need no encoding. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
}

export interface Page {
  readonly isbns: readonly Isbn13[];
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns where the page begins: undefined for the first one. */
export function pageStart(list: string, { cursor }: PageRequest): Cursor | undefined | ApiError {
  if (cursor === undefined) return undefined;
  return (
    decodeCursor(list, cursor) ??
    badRequest("The cursor is not one of this list; take the URL from the Link of the page before.")
  );
}

/** Reads the keys of a page, and one more to know whether another page follows. */
export async function readPage(snapshot: Snapshot, totals: ListTotals, request: PagedRequest): Promise<Page> {
  const { list, limit, after } = request;
  const keys = await snapshot.keys(list, after, limit + 1);
  const total = await totals.of(snapshot, list);
  const last = keys.length > limit ? keys[limit - 1] : undefined;
  return {
    isbns: keys.slice(0, limit).map(({ isbn }) => isbn),
    headers: {
      ...(last && { Link: `<${nextQuery(request, last)}>; rel="next"` }),
      ...(total !== undefined && { "X-Total-Count": String(total) }),
    },
  };
}

/** RFC 8288 §3.1: a reference without a path is resolved against the URL of the request, whatever prefix a proxy adds. */
function nextQuery({ name, limit, lastDay, parameters }: PagedRequest, key: ListKey): string {
  const cursor = encodeCursor(name, { key, lastDay });
  const all = Object.entries({ ...parameters, limit: String(limit), cursor });
  return `?${all.flatMap(([key, value]) => (value === undefined ? [] : `${key}=${value}`)).join("&")}`;
}
