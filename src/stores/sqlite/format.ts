/** The two files of an embedded store: what they are marked with, and the steps that make them. */
import records from "./migrations/catalog/0001-records.sql" with { type: "text" };
import tokens from "./migrations/tokens/0001-tokens.sql" with { type: "text" };

export interface Format {
  /** What a person calls such a file. */
  readonly called: string;
  /** `PRAGMA application_id`: by it a file is known to be ours. */
  readonly application: number;
  readonly pageSize: number;
  /** Applied in order; `PRAGMA user_version` is the number of those that a file has seen. */
  readonly migrations: readonly string[];
}

export const CATALOG: Format = {
  called: "catalog",
  application: 0x436f_4361, // "CoCa"
  // No clear winner. 100,000 records of 2.5 to 4.5 kB on pages of 4, 8 and 16 kB, four runs of each in turn on
  // a busy machine with two cores (median, least and most):
  //   lookup at random        12.5 (10.9-14.7)  13.6 (12.2-14.8)  16.8 (11.4-20.1) µs
  //   import, by ISBN          5.2 (4.4-6.0)     5.3 (4.1-6.5)     4.0 (3.4-4.5) s
  //   import, in no order      9.7 (6.7-11.5)    9.0 (7.8-12.5)    8.2 (7.7-14.3) s
  //   file; most memory        427; 128          446; 130          406; 184 MB
  // Lookups do not differ beyond the noise. 16 kB imports faster in order, for 50 MB more; 8 kB lies between.
  pageSize: 8192,
  migrations: [records],
};

/**
 * Tokens have a file of their own beside the catalog: SQLite lets one writer at a time into a file, and a
 * token must be revoked at once, not when an import of a million products has ended.
 */
export const TOKENS: Format = {
  called: "ledger of tokens",
  application: 0x436f_546f, // "CoTo"
  pageSize: 4096,
  migrations: [tokens],
};
