import type { Inspection } from "../catalog/verify/inspection.ts";
import { type Fault, verify } from "../catalog/verify/verify.ts";
import { inspectPostgres } from "../stores/postgres/inspection.ts";
import { inspectSqlite } from "../stores/sqlite/inspection.ts";
import { escapeControls } from "../telemetry/printable.ts";
import { isPostgresUrl, sayReadonly, storeOptions } from "./config/store-location.ts";
import { EXIT } from "./terminal/arguments.ts";
import { defineCommand } from "./terminal/command.ts";
import { formatCountOf } from "./terminal/format.ts";
import { print } from "./terminal/standard-output.ts";

export const command = defineCommand(["colophon verify --db /backups/catalog.db"], {
  options: storeOptions,
  about: "checks the whole store and lists every damaged record",
  run: ({ storeLocation }) => verifyStore(storeLocation),
});

async function verifyStore(location: string): Promise<number> {
  const inspection = await inspect(location);
  try {
    const faults = verify(inspection);
    let defects = 0;
    for (;;) {
      const { done, value } = await faults.next();
      if (!done) {
        defects++;
        await print(formatFault(value));
        continue;
      }
      if (defects === 0) {
        await print(
          `${formatCountOf(value.records, "record")}, all intact. Revision ${inspection.revision}.`,
        );
        return EXIT.ok;
      }
      const damaged = formatCountOf(value.damaged, "damaged record");
      await print(`${damaged}. Restore a backup, or import the feeds into a new store.`);
      return EXIT.failed;
    }
  } finally {
    await inspection.close();
  }
}

async function inspect(location: string): Promise<Inspection> {
  return isPostgresUrl(location) ? await inspectPostgres(location) : inspectSqlite(location, sayReadonly);
}

function formatFault({ isbn, text }: Fault): string {
  return escapeControls(isbn === undefined ? text : `${isbn}: ${text}`);
}
