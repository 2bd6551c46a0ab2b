import type { MigrationPlan } from "../stores/format.ts";
import { migratePostgres } from "../stores/postgres/store.ts";
import { migrateSqlite } from "../stores/sqlite/migrate.ts";
import { isPostgresUrl, storeOptions } from "./config/store-location.ts";
import { EXIT } from "./terminal/arguments.ts";
import { defineCommand } from "./terminal/command.ts";
import { formatMegabytes } from "./terminal/format.ts";

export const command = defineCommand(["colophon migrate --db postgres://owner@db/books"], {
  options: storeOptions,
  about: "creates the store, or updates it to the current format",
  run: ({ storeLocation }) => migrate(storeLocation),
});

async function migrate(location: string): Promise<number> {
  const migrations = isPostgresUrl(location)
    ? await migratePostgres(location, printPlan)
    : migrateSqlite(location, printPlan);
  for (const { label, from, to } of migrations) {
    console.log(
      from === 0
        ? `An empty ${label} was created.`
        : `The ${label} was migrated from format ${from} to ${to}.`,
    );
  }
  if (migrations.length === 0) console.log("The catalog is up to date.");
  return EXIT.ok;
}

function printPlan({ subject, from, to, neededBytes, freeBytes }: MigrationPlan): void {
  const needed = `${subject} is migrated from format ${from} to ${to}; this needs up to ${formatMegabytes(neededBytes)} of free space`;
  console.log(
    freeBytes === undefined
      ? `${needed} on the disk of the server. Colophon cannot see how much is free there.`
      : `${needed}, and ${formatMegabytes(freeBytes, Math.floor)} are free.`,
  );
}
