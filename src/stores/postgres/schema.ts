/** The migrations of the schema, in order. `colophon.migration` has a row for each that was applied. */
import records from "./migrations/0001-records.sql" with { type: "text" };
import tokens from "./migrations/0002-tokens.sql" with { type: "text" };
import senders from "./migrations/0003-senders.sql" with { type: "text" };
import importRuns from "./migrations/0004-import-runs.sql" with { type: "text" };

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: "records", sql: records },
  { version: 2, name: "tokens", sql: tokens },
  { version: 3, name: "senders", sql: senders },
  { version: 4, name: "import-runs", sql: importRuns },
];
