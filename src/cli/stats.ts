import { parse } from "./terminal/arguments.ts";
import { EXIT } from "./terminal/usage.ts";
import { openStore, whereOf } from "./config/store-location.ts";

/** `colophon stats`: what is in the catalog. */
export async function stats(args: readonly string[]): Promise<number> {
  const { options } = parse(args, { db: { type: "string" }, json: { type: "boolean" } }, 0);
  const store = openStore(whereOf(options.db), { create: false });
  try {
    const { records, imprints, revision, imported } = await store.stats();
    if (options.json)
      console.log(JSON.stringify({ records, imprints, revision, imported: imported ?? null }, null, 2));
    else {
      console.log(`records   ${records}`);
      console.log(`imprints  ${imprints}`);
      console.log(`revision  ${revision}`);
      console.log(`imported  ${imported ?? "never"}`);
    }
    return EXIT.applied;
  } finally {
    await store.close();
  }
}
