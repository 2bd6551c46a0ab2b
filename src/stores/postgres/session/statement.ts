/**
 * Statements whose answers show what they answer. A pooler that shares sessions can run another statement under the name
 * of ours, and a proxy can mix up responses. So every answer has at least one row, and every row names the text of the
 * statement and the request. An answer that does not is an error, never an empty result.
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

export interface Answer<Row> {
  readonly rows: Row[];
  /** Is undefined unless the statement is one of `statementWithVersion`, and the catalog has its row. */
  readonly version: CatalogVersion | undefined;
}

/** The columns that a statement adds to those of its query. */
interface AnswerRow {
  /** The tag, the request, and with `statementWithVersion` the generation and the revision. */
  readonly answer_to: unknown;
  /** Is null when the query has no rows. */
  readonly found: unknown;
}

const TAG_DIGITS = 12;

/** Queries have no values in their text, so there are few of them. */
const statements = new Map<string, Statement>();

/** Returns the statement of a query, which may also be an INSERT or UPDATE with RETURNING. */
export function statement(query: string): Statement {
  return statementFrom(query, "''", "");
}

/** Returns a statement whose answer has the version of the catalog that the query has read. */
export function statementWithVersion(query: string): Statement {
  const version = "coalesce(generation || ' ' || revision, '')";
  return statementFrom(query, version, "LEFT JOIN colophon.catalog ON id = 1");
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
    const text = `WITH answer AS (${query})
      SELECT request.*, row.*
      FROM (SELECT '${tag} ' || ${request} || ' ' || ${version} AS answer_to FROM (SELECT) AS one ${source} OFFSET 0) AS request
      LEFT JOIN (SELECT true AS found, answer.* FROM answer) AS row ON true`;
    found = { text, tag };
    statements.set(key, found);
  }
  return found;
}

const processId = randomBytes(6).toString("base64url");
let requests = 0;

/** Returns a text that identifies a request. It is the last parameter of a statement. */
export function nextRequest(): string {
  return `${processId}${(requests++).toString(36)}`;
}

/** Returns the answer to a request. Is undefined when the rows answer something else. */
export function answerFrom<Row>(
  rows: readonly unknown[],
  { tag }: Statement,
  request: string,
): Answer<Row> | undefined {
  const first = rows[0] as AnswerRow | undefined;
  if (typeof first?.answer_to !== "string") return undefined;
  const [answeredTag, answeredRequest, generation, revision] = first.answer_to.split(" ");
  if (answeredTag !== tag || answeredRequest !== request) return undefined;
  for (const row of rows as readonly AnswerRow[]) {
    if (row.answer_to !== first.answer_to || (row.found !== true && rows.length > 1)) return undefined;
  }
  const version = generation && revision ? { generation, revision } : undefined;
  return { rows: first.found === true ? (rows as Row[]) : [], version };
}
