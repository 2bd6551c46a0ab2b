/** The two files of an embedded store: what they are marked with, and the steps that make them. */
import records from "./migrations/catalog/0001-records.sql" with { type: "text" };
import indexes from "./migrations/catalog/0002-indexes.sql" with { type: "text" };
import checkedLists from "./migrations/catalog/0003-checked-lists.sql" with { type: "text" };
import tokens from "./migrations/tokens/0001-tokens.sql" with { type: "text" };

export interface FileFormat {
  /** What a person calls such a file. */
  readonly label: string;
  /** `PRAGMA application_id`: by it a file is known to be ours. */
  readonly applicationId: number;
  readonly pageSize: number;
  /** Applied in order; `PRAGMA user_version` is the number of those that a file has seen. */
  readonly migrations: readonly string[];
  /** The oldest number that the steps lead on from. */
  readonly oldestVersion: number;
}

export const CATALOG: FileFormat = {
  label: "catalog",
  applicationId: 0x436f_4361, // "CoCa"
  // Pages of 4, 8 and 16 kB differ by less than the noise in lookups of 2.5 to 4.5 kB. Large ones waste least: records
  // of 4.2 kB take 5.8 kB each in pages of 16 kB, and 8.5 in pages of 8.
  pageSize: 16_384,
  migrations: [records, indexes, checkedLists],
  // Before the first release, a file of format 1 had other tables.
  oldestVersion: 2,
};

/** The indexes of a catalog, which an import into an empty one makes at its end. */
export const INDEXES = {
  make: checkedLists,
  names: ["record_outline", "record_by_imprint", "record_by_day", "record_by_reference"],
} as const;

/**
 * Tokens have a file of their own beside the catalog: SQLite lets one writer at a time into a file, and a
 * token must be revoked at once, not when an import of a million products has ended.
 */
export const TOKENS: FileFormat = {
  label: "ledger of tokens",
  applicationId: 0x436f_546f, // "CoTo"
  pageSize: 4096,
  migrations: [tokens],
  oldestVersion: 1,
};
