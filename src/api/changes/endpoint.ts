/** `GET /api/changes`: first the whole catalog, then every change of it, page by page. */
import type { BookChange } from "../../catalog/changes/change-history.ts";
import type { Snapshot, View } from "../../catalog/store.ts";
import { then } from "../../lib/awaitable.ts";
import { SUMMARY_RULES } from "../../onix/summary/summary.ts";
import { BUFFERED_BYTES_BY_ISBN, withSnapshot } from "../endpoints.ts";
import { ApiError, badRequest, cursorIsAhead } from "../errors.ts";
import type { Kind } from "../parameters/parameter.ts";
import { type JsonArray, jsonArrayOf } from "../response/json-array.ts";
import type { Endpoint } from "../route.ts";
import { ChangesBody } from "./body.ts";
import {
  type ChangeCursor,
  currentCursor,
  decodeChangeCursor,
  encodeChangeCursor,
  faultOf,
  firstCursor,
} from "./cursor.ts";

export const DEFAULT_CHANGES = 100;
const MANY_CHANGES = 250;

const LOAD_ANEW =
  "Load the catalog anew: request /api/changes without since, and remove the books that it does not list.";

export const otherHistory = new ApiError(
  "gone",
  `The catalog was replaced, restored from a backup, or has lost its last imports since the cursor was made. ${LOAD_ANEW}`,
);

export const cursorTooOld = new ApiError(
  "gone",
  `Deletions since the cursor was made are no longer known. ${LOAD_ANEW}`,
);

interface ChangesRequest {
  readonly since: ChangeCursor | undefined;
  readonly limit: number;
  /** The view of each changed book that is sent beside its change. */
  readonly view: View | undefined;
}

export const getChanges: Endpoint<ChangesRequest> = ({ store }, { since: cursor, limit, view }) =>
  withSnapshot(store, (snapshot) =>
    then(snapshot.history(cursor?.newest.number ?? 0), (history) => {
      const fault = cursor && faultOf(cursor, history);
      if (fault)
        return { "other-history": otherHistory, "too-old": cursorTooOld, behind: cursorIsAhead }[fault];
      // The page is read in the newest state, so the next one needs it.
      const start = { ...(cursor ?? firstCursor(history)), newest: history.newest };
      return readPage(snapshot, start, limit, view);
    }),
  );

export const changeCursor: Kind<ChangeCursor> = {
  parse: (value) =>
    decodeChangeCursor(value) ??
    badRequest("The cursor in since is not one of /api/changes; take it from next of the response before."),
  schema: { type: "string" },
  wrong: { "Not a cursor": "x" },
};

/** Reads one change more, to know whether another page follows. */
function readPage(snapshot: Snapshot, start: ChangeCursor, limit: number, view: View | undefined) {
  const pageOf = (changes: readonly BookChange[]) => {
    const hasMore = changes.length > limit;
    const page = hasMore ? changes.slice(0, limit) : changes;
    const { number, isbn } = page.at(-1) ?? start.after;
    const next = hasMore ? { ...start, after: { number, isbn } } : currentCursor(start.newest);
    // A client that loads the catalog knows no book.
    const from = start.isLoading ? 0 : start.from;
    const body = new ChangesBody({ changes: page, from, next: encodeChangeCursor(next), hasMore }, view);
    return responseOf(snapshot, start, page, view, body);
  };
  return then(snapshot.changes(start.after, start.from, limit + 1), (changes) =>
    // Reading so many takes a millisecond or two. Their books are read in another tick of the event loop.
    changes.length > MANY_CHANGES ? Bun.sleep(0).then(() => pageOf(changes)) : pageOf(changes),
  );
}

function responseOf(
  snapshot: Snapshot,
  { newest }: ChangeCursor,
  page: readonly BookChange[],
  view: View | undefined,
  { join, end }: ChangesBody,
): JsonArray {
  // The revision alone would not do: a book can change and change back, and both are changes.
  const state = `${newest.number}-${newest.id}`;
  const etag = view === "summary" ? `${state}-s${SUMMARY_RULES}` : state;
  const isbns = page.flatMap(({ isbn, added }) => (added === undefined ? [] : [isbn]));
  const bodies = () => (view === undefined ? [] : snapshot.bodies({ kind: "isbns", isbns }, view));
  return jsonArrayOf(etag, snapshot, bodies, join, { maxBufferedBytes: BUFFERED_BYTES_BY_ISBN, end });
}
