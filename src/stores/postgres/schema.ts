/** The migrations of the schema, in order. `colophon.migration` has a row for each that was applied. */
import type { SQL } from "bun";
import records from "./migrations/0001-records.sql" with { type: "text" };
import tokens from "./migrations/0002-tokens.sql" with { type: "text" };
import senders from "./migrations/0003-senders.sql" with { type: "text" };
import importRuns from "./migrations/0004-import-runs.sql" with { type: "text" };
import summaries from "./migrations/0005-summaries.sql" with { type: "text" };
import { fillSummaries } from "./migrations/0005-summaries.ts";
import changes from "./migrations/0006-changes.sql" with { type: "text" };
import search from "./migrations/0007-search.sql" with { type: "text" };
import history from "./migrations/0008-history.sql" with { type: "text" };
import quality from "./migrations/0009-quality.sql" with { type: "text" };
import { fillQuality } from "./migrations/0009-quality.ts";

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /** Runs after `sql`, in the same transaction, for what SQL alone cannot do. */
  readonly program?: (sql: SQL) => Promise<void>;
}

export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: "records", sql: records },
  { version: 2, name: "tokens", sql: tokens },
  { version: 3, name: "senders", sql: senders },
  { version: 4, name: "import-runs", sql: importRuns },
  { version: 5, name: "summaries", sql: summaries, program: fillSummaries },
  { version: 6, name: "changes", sql: changes },
  // Its table is filled by migration 9, which changes it.
  { version: 7, name: "search", sql: search },
  { version: 8, name: "history", sql: history },
  { version: 9, name: "quality", sql: quality, program: fillQuality },
];
