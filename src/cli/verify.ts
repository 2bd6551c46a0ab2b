import type { Inspection } from "../catalog/inspection.ts";
import { type Finding, verify } from "../catalog/verify.ts";
import { inspectPostgres } from "../stores/postgres/inspection.ts";
import { inspectSqlite } from "../stores/sqlite/inspection.ts";
import { inOneLine } from "../watch/printable.ts";
import { parse } from "./terminal/arguments.ts";
import { count } from "./terminal/progress.ts";
import { EXIT } from "./terminal/usage.ts";
import { isServer, whereOf } from "./config/store-location.ts";

/** `colophon verify`: whether the store still holds what it was given. */
export async function verifyStore(args: readonly string[]): Promise<number> {
  const { options } = parse(args, { db: { type: "string" } }, 0);
  const inspection = await inspect(whereOf(options.db));
  try {
    const findings = verify(inspection);
    let faults = 0;
    for (;;) {
      const { done, value } = await findings.next();
      if (!done) {
        faults++;
        console.log(lineOf(value));
        continue;
      }
      const { records, damaged } = value;
      if (faults === 0) {
        console.log(
          `${count(records)} records, all of them as they were stored. Revision ${inspection.revision}.`,
        );
        return EXIT.applied;
      }
      console.log(
        `${count(damaged)} damaged record${damaged === 1 ? "" : "s"}. Put a backup in the place of this store, or import the feeds into a new one.`,
      );
      return EXIT.refused;
    }
  } finally {
    await inspection.close();
  }
}

async function inspect(where: string): Promise<Inspection> {
  return isServer(where) ? await inspectPostgres(where) : inspectSqlite(where);
}

function lineOf({ isbn, text }: Finding): string {
  return inOneLine(isbn === undefined ? text : `${isbn}: ${text}`);
}
