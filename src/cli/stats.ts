import { openStore, resolveStoreLocation } from "./config/store-location.ts";
import { EXIT } from "./exit.ts";
import { parseArguments } from "./terminal/arguments.ts";

/** `colophon stats`: prints the size of the catalog and the time of the last import. */
export async function statsCommand(args: readonly string[]): Promise<number> {
  const { options } = parseArguments(args, { db: { type: "string" }, json: { type: "boolean" } }, 0);
  const store = openStore(resolveStoreLocation(options.db), { create: false });
  try {
    const { records, imprints, revision, imported } = await store.stats();
    if (options.json) {
      console.log(JSON.stringify({ records, imprints, revision, imported: imported ?? null }, null, 2));
    } else {
      console.log(`records   ${records}`);
      console.log(`imprints  ${imprints}`);
      console.log(`revision  ${revision}`);
      console.log(`imported  ${imported ?? "never"}`);
    }
    return EXIT.ok;
  } finally {
    await store.close();
  }
}
