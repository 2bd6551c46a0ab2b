/** The two database files of an embedded store. `schema.sql` and `tokens.sql` have their tables. */
import type { Database } from "bun:sqlite";
import type { Format } from "../format.ts";
import catalog from "./schema.sql" with { type: "text" };
import tokens from "./tokens.sql" with { type: "text" };

/** SQL, or a program for what SQL alone cannot do. It runs within the transaction of the whole migration. */
export type Step = string | ((db: Database) => void);

/** `PRAGMA user_version` is the number of the format. */
export interface FileFormat extends Format<Step> {
  /** `PRAGMA application_id`, which identifies a file as ours. */
  readonly applicationId: number;
  /** The application ids before version 1.0.0. */
  readonly unreleasedIds: readonly number[];
  readonly pageSize: number;
}

export const CATALOG: FileFormat = {
  label: "catalog",
  applicationId: 0x4370_6843, // "CphC"
  unreleasedIds: [0x436f_4361, 0x436f_6c43],
  // A changed record writes its page to the log, so small pages write least. Pages of 4, 8 and 16 kB make a difference
  // of 2 µs in lookups. Records of about 4 kB, unequal in size, take 1.2, 1.3 and 1.2 times their size. Records of
  // 2 kB take 1.9, 1.3 and 1.1 times.
  pageSize: 8192,
  schema: withoutComments(catalog),
  steps: [],
  remedy: "import its feeds into a new catalog.",
};

/**
 * Tokens have a file of their own beside the catalog. SQLite allows one writer per file, and a revocation must not
 * wait for the end of an import.
 */
export const TOKENS: FileFormat = {
  label: "token registry",
  applicationId: 0x4370_6854, // "CphT"
  unreleasedIds: [0x436f_546f, 0x436f_6c54],
  pageSize: 4096,
  schema: withoutComments(tokens),
  steps: [],
  remedy:
    "without it, revoked tokens would be valid again: set a new secret, remove the file, and issue new tokens.",
};

/** SQLite would store the comments within a statement, and read them with every connection. */
function withoutComments(sql: string): string {
  return sql.replace(/\s*--.*$/gm, "");
}

const indexes = [
  ...catalog.matchAll(/CREATE INDEX (\w+)\s+ON (?:record|book_search|edition_link) [^;]*;/g),
].map(([statement, name]) => ({ statement, name: name! }));

/** The indexes of the records. An import into an empty catalog drops them, and creates them at its end. */
export const INDEXES = {
  create: indexes.map(({ statement, name }) => `DROP INDEX IF EXISTS ${name}; ${statement}`).join("\n"),
  /** One statement of `create`, for an import that must find references before its end. */
  createByReference: indexes.find(({ name }) => name === "record_by_reference")!.statement,
  names: indexes.map(({ name }) => name),
} as const;
