import { statSync } from "node:fs";
import { resolve } from "node:path";
import { StoreError } from "../catalog/store-error.ts";
import { verify } from "../catalog/verify.ts";
import { copySqlite } from "../stores/sqlite/backup.ts";
import { inspectSqlite } from "../stores/sqlite/inspection.ts";
import { parse } from "./terminal/arguments.ts";
import { count } from "./terminal/progress.ts";
import { EXIT, UsageError } from "./terminal/usage.ts";
import { isServer, whereOf } from "./config/store-location.ts";

/** `colophon backup`: a copy of the store as it is at one moment, which has its name only when it is known to be good. */
export async function backup(args: readonly string[]): Promise<number> {
  const { options, words } = parse(args, { db: { type: "string" } }, 1);
  const [file] = words;
  if (!file) throw new UsageError("where to? Name the file that the copy shall have");
  const where = whereOf(options.db);
  if (isServer(where)) {
    throw new StoreError(
      "A catalog on PostgreSQL is backed up with PostgreSQL's own pg_dump, schema colophon.",
    );
  }
  const to = resolve(file);
  const copy = copySqlite(where, to);
  try {
    const { records, revision } = await mustBeGood(copy.catalog);
    copy.publish();
    const megabytes = Math.ceil(statSync(to).size / 1e6);
    console.log(`${count(records)} records, ${count(megabytes)} MB, checked. Revision ${revision}.`);
    return EXIT.applied;
  } finally {
    copy.discard();
  }
}

/** A backup of damage is of no use on the day it is needed: better to hear of it today. */
async function mustBeGood(path: string): Promise<{ records: number; revision: string }> {
  const inspection = inspectSqlite(path);
  try {
    const first = await verify(inspection).next();
    if (first.done) return { records: first.value.records, revision: inspection.revision };
    const { isbn, text } = first.value;
    throw new StoreError(
      `the catalog is damaged, so there is no backup of it (${isbn === undefined ? "" : `${isbn}: `}${text}); "colophon verify" tells all.`,
    );
  } finally {
    await inspection.close();
  }
}
