/** The endpoints /api/imports, /api/imports/{number} and /api/origin/{isbn}. All valid tokens may read them. */
import { etagOf } from "../../catalog/entry.ts";
import type { ImportFilter, KeptImport } from "../../catalog/history/import-history.ts";
import { KEPT_IMPORT_RUNS } from "../../catalog/import-run.ts";
import { then } from "../../lib/awaitable.ts";
import { encodeJson } from "../../lib/text.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { bookNotFound } from "../endpoints.ts";
import { ApiError, badRequest } from "../errors.ts";
import { sealText, unsealText } from "../paging/cursor.ts";
import { cursorOfOtherList } from "../paging/page.ts";
import { excerpt } from "../parameters/kinds.ts";
import type { Kind } from "../parameters/parameter.ts";
import { encodeQuery } from "../parameters/query.ts";
import { type JsonArray, joinBodies, jsonArrayOf } from "../response/json-array.ts";
import { documentWithDigest } from "../response/responder.ts";
import type { Endpoint } from "../route.ts";
import { importDetailsDocument, importDocument, originDocument, publicMessage } from "./document.ts";

export const DEFAULT_IMPORTS = 20;
/** An import takes up to 10 kB with its feeds. */
export const MAX_IMPORTS = 100;

/** Names the list in its cursors. */
const LIST = "imports";

interface ImportsRequest extends ImportFilter {
  readonly limit: number;
  /** The imports of the page are older than this number. */
  readonly cursor: number | undefined;
}

/** Reads one more, to know whether another page follows. */
export const getImports: Endpoint<ImportsRequest> = ({ store }, { limit, cursor, ...filter }) =>
  then(store.importHistory.list(cursor, limit + 1, filter), (runs) => pageOf(runs, limit, filter));

export const getImport: Endpoint<{ readonly number: number }> = ({ store }, { number }) =>
  then(store.importHistory.get(number), (run) =>
    run === undefined
      ? importNotFound(number)
      : documentWithDigest(importDetailsDocument({ ...run, message: publicMessage(run) })),
  );

export const getOrigin: Endpoint<{ readonly isbn: Isbn13 }> = ({ store }, { isbn }) =>
  then(store.importHistory.originOf(isbn), (origin) =>
    origin === undefined ? bookNotFound(isbn) : documentWithDigest(originDocument(origin)),
  );

export function importNotFound(number: number): ApiError {
  return new ApiError(
    "importNotFound",
    `The history has no import ${number}; it has the last ${KEPT_IMPORT_RUNS.toLocaleString("en")}.`,
  );
}

const IMPORT_NUMBER = /^[1-9][0-9]{0,9}$/;

export const importCursor: Kind<number> = {
  parse(value) {
    const text = unsealText(LIST, value) ?? "";
    return IMPORT_NUMBER.test(text) ? Number(text) : cursorOfOtherList;
  },
  schema: { type: "string" },
  wrong: { "Cursor of another list": "x" },
};

export const importNumber: Kind<number> = {
  parse: (value) =>
    IMPORT_NUMBER.test(value)
      ? Number(value)
      : badRequest(`"${excerpt(value)}" is not the number of an import; take one of /api/imports.`),
  schema: { type: "string", pattern: IMPORT_NUMBER.source },
  wrong: { "Not a number": "last" },
};

function pageOf(runs: readonly KeptImport[], limit: number, filter: ImportFilter): JsonArray {
  const page = runs.slice(0, limit);
  const last = runs.length > limit ? page.at(-1) : undefined;
  const query = { limit: String(limit), outcome: filter.outcome, sender: filter.sender };
  const next = last && `?${encodeQuery({ ...query, cursor: sealText(LIST, String(last.number)) })}`;
  const bodies = page.map((run) => encodeJson(importDocument({ ...run, message: publicMessage(run) })));
  const etag = etagOf(Buffer.concat([...bodies, Buffer.from(next ?? "")]));
  const headers: Record<string, string> = next === undefined ? {} : { Link: `<${next}>; rel="next"` };
  // The page is in memory: there is no snapshot to close.
  return jsonArrayOf(etag, { revision: etag, close() {} }, () => [bodies], joinBodies, { headers });
}
