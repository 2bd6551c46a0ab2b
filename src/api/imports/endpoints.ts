/** The endpoints /api/imports, /api/imports/{number} and /api/origin/{isbn}. All valid tokens may read them. */
import type { KeptImport } from "../../catalog/history/import-history.ts";
import { KEPT_IMPORT_RUNS } from "../../catalog/import-run.ts";
import { then } from "../../lib/awaitable.ts";
import { bookNotFound, type Endpoint } from "../endpoints.ts";
import { ApiError, badRequest } from "../errors.ts";
import { sealText, unsealText } from "../paging/cursor.ts";
import { excerpt, pageLimitOf, parseIsbnParameter, singleValue } from "../parameters.ts";
import { type JsonArray, joinBodies, jsonArrayOf } from "../response/json-array.ts";
import { RecordResult } from "../response/responder.ts";
import { importDetailsDocument, importDocument, originDocument } from "./document.ts";
import { publicMessage } from "./public-message.ts";

export const DEFAULT_IMPORTS = 20;
/** An import takes up to 10 kB with its feeds. */
export const MAX_IMPORTS = 100;

/** Names the list in its cursors. */
const LIST = "imports";
/** Is longer than every cursor. */
const MAX_CURSOR_CHARS = 40;

const encoder = new TextEncoder();

export const getImports: Endpoint = ({ store }, _, query) => {
  const request = parseImports(query);
  if (request instanceof ApiError) return request;
  const { before, limit } = request;
  // One more, to know whether another page follows.
  return then(store.importHistory.list(before, limit + 1), (runs) => pageOf(runs, limit));
};

export const getImport: Endpoint = ({ store }, parameter) => {
  const number = parseImportNumber(parameter);
  if (number instanceof ApiError) return number;
  return then(store.importHistory.get(number), (run) =>
    run === undefined
      ? importNotFound(number)
      : documentResult(importDetailsDocument({ ...run, message: publicMessage(run) })),
  );
};

export const getOrigin: Endpoint = ({ store }, parameter) => {
  const isbn = parseIsbnParameter(parameter);
  if (isbn instanceof ApiError) return isbn;
  return then(store.importHistory.originOf(isbn), (origin) =>
    origin === undefined ? bookNotFound(isbn) : documentResult(originDocument(origin)),
  );
};

export function importNotFound(number: number): ApiError {
  return new ApiError(
    "importNotFound",
    `The history has no import ${number}; it has the last ${KEPT_IMPORT_RUNS.toLocaleString("en")}.`,
  );
}

export const notAnImportCursor = badRequest(
  "The cursor is not one of this list; take the URL from the Link of the page before.",
);

export function parseImports(query: string): { before: number | undefined; limit: number } | ApiError {
  const limitText = singleValue(query, "limit");
  if (limitText instanceof ApiError) return limitText;
  const limit = limitText === undefined ? DEFAULT_IMPORTS : pageLimitOf(limitText, MAX_IMPORTS);
  if (limit instanceof ApiError) return limit;
  const cursor = singleValue(query, "cursor");
  if (cursor instanceof ApiError) return cursor;
  if (cursor === undefined) return { before: undefined, limit };
  const text = cursor.length > MAX_CURSOR_CHARS ? undefined : unsealText(LIST, cursor);
  return /^[1-9][0-9]{0,9}$/.test(text ?? "") ? { before: Number(text), limit } : notAnImportCursor;
}

export function parseImportNumber(text: string): number | ApiError {
  if (/^[1-9][0-9]{0,9}$/.test(text)) return Number(text);
  return badRequest(`"${excerpt(text)}" is not the number of an import; take one of /api/imports.`);
}

function pageOf(runs: readonly KeptImport[], limit: number): JsonArray {
  const page = runs.slice(0, limit);
  const last = runs.length > limit ? page.at(-1) : undefined;
  const next = last && `?limit=${limit}&cursor=${sealText(LIST, String(last.number))}`;
  const bodies = page.map((run) =>
    encoder.encode(JSON.stringify(importDocument({ ...run, message: publicMessage(run) }))),
  );
  const etag = digestOf(...bodies, encoder.encode(next ?? ""));
  const headers: Record<string, string> = next === undefined ? {} : { Link: `<${next}>; rel="next"` };
  // The page is in memory: there is no snapshot to close.
  return jsonArrayOf(etag, { revision: etag, close() {} }, () => [bodies], joinBodies, { headers });
}

/** The validator is a digest of the body: an answer depends on more than the records. */
function documentResult(document: unknown): RecordResult {
  const body = encoder.encode(JSON.stringify(document));
  return new RecordResult({ body, etag: digestOf(body) });
}

function digestOf(...bodies: readonly Uint8Array[]): string {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const body of bodies) hasher.update(body);
  return hasher.digest("hex").slice(0, 32);
}
