/** The two database files of an embedded store, and the migrations that create them. */
import type { Database } from "bun:sqlite";
import records from "./migrations/catalog/0001-records.sql" with { type: "text" };
import indexes from "./migrations/catalog/0002-indexes.sql" with { type: "text" };
import checkedLists from "./migrations/catalog/0003-checked-lists.sql" with { type: "text" };
import senders from "./migrations/catalog/0004-senders.sql" with { type: "text" };
import currentIndexes from "./migrations/catalog/0005-indexes.sql" with { type: "text" };
import importRuns from "./migrations/catalog/0006-import-runs.sql" with { type: "text" };
import registry from "./migrations/catalog/0007-registry.sql" with { type: "text" };
import { addSummaries } from "./migrations/catalog/0008-summaries.ts";
import changes from "./migrations/catalog/0009-changes.sql" with { type: "text" };
import search from "./migrations/catalog/0010-search.sql" with { type: "text" };
import history from "./migrations/catalog/0011-history.sql" with { type: "text" };
import { addQuality } from "./migrations/catalog/0012-quality.ts";
import searchIndexes from "./migrations/catalog/0012-quality-indexes.sql" with { type: "text" };
import checksums from "./migrations/catalog/0013-checksums.sql" with { type: "text" };
import lookupIndex from "./migrations/catalog/0013-lookup-index.sql" with { type: "text" };
import tokens from "./migrations/tokens/0001-tokens.sql" with { type: "text" };

/** SQL, or a program for what SQL alone cannot do. It runs within the transaction of all migrations. */
export type Migration = string | ((db: Database) => void);

export interface FileFormat {
  /** The name in messages to operators. */
  readonly label: string;
  /** `PRAGMA application_id`, which identifies a file as ours. */
  readonly applicationId: number;
  readonly pageSize: number;
  /** Applied in order. `PRAGMA user_version` is the number of migrations that a file has undergone. */
  readonly migrations: readonly Migration[];
  /** The oldest `user_version` that the migrations can start from. */
  readonly oldestVersion: number;
}

export const CATALOG: FileFormat = {
  label: "catalog",
  applicationId: 0x436f_4361, // "CoCa"
  // A changed record writes its page to the log, so small pages write least. Pages of 4, 8 and 16 kB make a difference
  // of 2 µs in lookups. Records of about 4 kB, unequal in size, take 1.2, 1.3 and 1.2 times their size. Records of
  // 2 kB take 1.9, 1.3 and 1.1 times. Files with pages of 16 kB, the size in older versions, keep it.
  pageSize: 8192,
  migrations: [
    records,
    indexes,
    checkedLists,
    senders,
    currentIndexes,
    importRuns,
    registry,
    addSummaries,
    changes,
    // Its index is filled by the last migration, which makes it again.
    search,
    history,
    addQuality,
    checksums + lookupIndex,
  ],
  // Format 1, before the first release, had other tables.
  oldestVersion: 2,
};

/** The indexes of a catalog. An import into an empty catalog drops them, and creates them at its end. */
export const INDEXES = {
  create: currentIndexes + searchIndexes + lookupIndex,
  /** One statement of `create`, for an import that must find references before its end. */
  createByReference: /CREATE INDEX record_by_reference [^;]*/.exec(currentIndexes)![0],
  names: [
    "record_by_isbn",
    "record_outline",
    "record_by_imprint",
    "record_by_day",
    "record_by_reference",
    "book_search_by_search_id",
    "book_search_by_title",
  ],
} as const;

/**
 * Tokens have a file of their own beside the catalog. SQLite allows one writer per file, and a revocation must not
 * wait for the end of an import.
 */
export const TOKENS: FileFormat = {
  label: "token registry",
  applicationId: 0x436f_546f, // "CoTo"
  pageSize: 4096,
  migrations: [tokens],
  oldestVersion: 1,
};
