import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "./terminal/arguments.ts";
import { run, sourcesOf, summary } from "./import.ts";
import { EXIT } from "./terminal/usage.ts";
import { isServer, openStore, whereOf } from "./config/store-location.ts";

/**
 * `colophon check`: what import would say of these feeds. It is an import into the catalog, or into an empty one
 * where there is none yet, that is taken back at its end.
 */
export async function check(args: readonly string[]): Promise<number> {
  const options = { db: { type: "string" }, report: { type: "string" } } as const;
  const { options: given, words } = parse(args, options, Number.POSITIVE_INFINITY);
  const sources = sourcesOf(words);
  const catalog = whereOf(given.db);
  const isThere = isServer(catalog) || existsSync(catalog);
  const scratch = isThere ? undefined : await mkdtemp(join(tmpdir(), "colophon-check-"));
  const store = openStore(scratch ? join(scratch, "catalog.db") : catalog, {
    create: scratch !== undefined,
    importOnly: scratch !== undefined,
  });
  try {
    const outcome = await run(store, sources, { replace: false, write: false, report: given.report });
    console.log(`Checked, nothing written. ${summary(outcome, "The catalog would stay as it is.")}`);
    return outcome.counts.rejected > 0 ? EXIT.rejectedSome : EXIT.applied;
  } finally {
    await store.close();
    if (scratch) await rm(scratch, { recursive: true, force: true });
  }
}
