/** The format of a catalog on PostgreSQL. `schema.sql` has its tables. */
import type { SQL } from "bun";
import type { Format } from "../format.ts";
import schema from "./schema.sql" with { type: "text" };

/** SQL, or a program for what SQL alone cannot do. It runs within the transaction of the whole migration. */
export type Step = string | ((sql: SQL) => Promise<void>);

export const CATALOG: Format<Step> = {
  label: "catalog",
  schema,
  steps: [],
  remedy: "import its feeds into another database.",
};

/** The statements that create the indexes of searches, by name. */
export const SEARCH_INDEXES: ReadonlyMap<string, string> = new Map(
  [...schema.matchAll(/CREATE INDEX (\w+) ON colophon\.search(?:_book)? [^;]*/g)].map(([text, name]) => [
    name!,
    text,
  ]),
);
