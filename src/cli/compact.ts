import { StoreError } from "../catalog/store-errors.ts";
import { compactSqlite } from "../stores/sqlite/compact.ts";
import { isPostgresUrl, storeOptions } from "./config/store-location.ts";
import { EXIT } from "./terminal/arguments.ts";
import { defineCommand } from "./terminal/command.ts";
import { formatMegabytes } from "./terminal/format.ts";

export const command = defineCommand(["colophon compact"], {
  options: storeOptions,
  about: "gives back the space of removed books, while the store is in use",
  run: ({ storeLocation }) => compact(storeLocation),
});

async function compact(location: string): Promise<number> {
  if (isPostgresUrl(location)) {
    throw new StoreError(
      "A catalog in PostgreSQL cannot be compacted with this command: autovacuum lets imports use the space again, and VACUUM FULL in a quiet hour gives it back.",
    );
  }
  const { bytesBefore, bytesAfter, isCompacted, isHeldByReaders } = await compactSqlite(location);
  const [before, after] = [bytesBefore, bytesAfter].map((bytes) => formatMegabytes(bytes));
  if (!isCompacted)
    console.log(`${before}, of which less than 5% could be given back: there is nothing to gain.`);
  else console.log(`${before} before, ${after} after.`);
  if (isHeldByReaders) {
    console.error(
      `${location} still has its old size, because others read the state before; it shrinks when they have ended.`,
    );
  }
  return EXIT.ok;
}
