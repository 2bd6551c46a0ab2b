/**
 * Statements whose results name their statement. A pooler that shares sessions can run another statement under the name
 * of ours, and a proxy can mix up responses. So every result has at least one row, and every row names the text of the
 * statement and the request. A result that does not is an error, never an empty result.
 */
import { randomBytes } from "node:crypto";

export interface Statement {
  readonly text: string;
  /** A digest of the text, which the server returns as a literal of the text. */
  readonly tag: string;
}

/** The state of the catalog. An import that changes a record increments the generation. */
export interface CatalogVersion {
  readonly generation: string;
  readonly revision: string;
}

export interface Result<Row> {
  readonly rows: Row[];
  /** Undefined unless the statement is one of `statementWithVersion`, and the catalog has its row. */
  readonly version: CatalogVersion | undefined;
}

/** The columns that a statement adds to those of its query. */
interface ResultRow {
  /** The tag, the request, and with `statementWithVersion` the generation and the revision. */
  readonly result_of: unknown;
  /** Null when the query has no rows. */
  readonly found: unknown;
}

const TAG_DIGITS = 12;

/** Queries have no values in their text, so there are few of them. */
const statements = new Map<string, Statement>();

/** Returns the statement of a query, which may also be an INSERT or UPDATE with RETURNING. */
export function statement(query: string): Statement {
  return statementFrom(query, "''", "");
}

const VERSION = "coalesce(generation || ' ' || revision, '')";
const VERSION_SOURCE = "LEFT JOIN colophon.catalog ON catalog.id = 1";

/** Returns a statement whose result has the version of the catalog that the query has read. */
export function statementWithVersion(query: string): Statement {
  return statementFrom(query, VERSION, VERSION_SOURCE);
}

/** Reads nothing but the version. */
export const VERSION_ONLY = statementWithVersion("SELECT 1 AS one");

/**
 * A CTE may also write. One that reads is inlined by the planner, and keeps the order of its rows. OFFSET 0 makes the
 * server compute the first column once, and not for each row.
 */
function statementFrom(query: string, version: string, source: string): Statement {
  const key = `${source} ${query}`;
  let found = statements.get(key);
  if (!found) {
    const tag = new Bun.CryptoHasher("sha256").update(key).digest("hex").slice(0, TAG_DIGITS);
    const parameters = [...query.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));
    const request = `$${Math.max(0, ...parameters) + 1}::text`;
    found = { text: textOf(query, `'${tag} ' || ${request}`, version, source), tag };
    statements.set(key, found);
  }
  return found;
}

function textOf(query: string, request: string, version: string, source: string): string {
  return `WITH result AS (${query})
      SELECT request.*, row.*
      FROM (SELECT ${request} || ' ' || ${version} AS result_of FROM (SELECT) AS one ${source} OFFSET 0) AS request
      LEFT JOIN (SELECT true AS found, result.* FROM result) AS row ON true`;
}

/** The tag of statements that have their values in their text: the request alone identifies them. */
const TEXT_TAG = "text";

/** Returns a statement without parameters, for one request. Its result has the version of the catalog. */
export function textStatement(query: string, request: string): Statement {
  return { text: textOf(query, `'${TEXT_TAG} ${request}'`, VERSION, VERSION_SOURCE), tag: TEXT_TAG };
}

const processId = randomBytes(6).toString("base64url");
let requests = 0;

/** Returns a text that identifies a request. It is the last parameter of a statement. */
export function nextRequest(): string {
  return `${processId}${(requests++).toString(36)}`;
}

/** Returns the result of a request. Is undefined when the rows belong to another one. */
export function resultFrom<Row>(
  rows: readonly unknown[],
  { tag }: Statement,
  request: string,
): Result<Row> | undefined {
  const first = rows[0] as ResultRow | undefined;
  if (typeof first?.result_of !== "string") return undefined;
  const [resultTag, resultRequest, generation, revision] = first.result_of.split(" ");
  if (resultTag !== tag || resultRequest !== request) return undefined;
  for (const row of rows as readonly ResultRow[]) {
    if (row.result_of !== first.result_of || (row.found !== true && rows.length > 1)) return undefined;
  }
  const version = generation && revision ? { generation, revision } : undefined;
  return { rows: first.found === true ? (rows as Row[]) : [], version };
}
