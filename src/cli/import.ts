import type { ImportTransaction, Store } from "../catalog/store.ts";
import { ImportError } from "../ingest/feed-batches.ts";
import { type FeedSource, type Outcome, sourceOf, takeFeeds } from "../ingest/import-run.ts";
import { parse } from "./terminal/arguments.ts";
import { Complaints, Report } from "./terminal/complaints.ts";
import { count, Progress } from "./terminal/progress.ts";
import { EXIT, UsageError } from "./terminal/usage.ts";
import { openStore, whereOf } from "./config/store-location.ts";

const options = {
  db: { type: "string" },
  replace: { type: "boolean" },
  report: { type: "string" },
} as const;

/** `colophon import`: the feeds become the catalog, all of them or none. */
export async function importFeeds(args: readonly string[]): Promise<number> {
  const { options: given, words } = parse(args, options, Number.POSITIVE_INFINITY);
  const sources = sourcesOf(words);
  const store = openStore(whereOf(given.db), { create: true, importOnly: true });
  try {
    const how = { replace: given.replace ?? false, write: true, report: given.report };
    const outcome = await run(store, sources, how);
    console.log(summary(outcome, "The catalog is as it was."));
    return outcome.counts.rejected > 0 ? EXIT.rejectedSome : EXIT.applied;
  } finally {
    await store.close();
  }
}

export function sourcesOf(words: readonly string[]): FeedSource[] {
  if (words.length === 0) throw new UsageError("which feeds? Name files, or - for standard input");
  if (words.filter((word) => word === "-").length > 1)
    throw new UsageError("- is standard input, which can be read only once");
  return words.map(sourceOf);
}

/** One import with everything that is seen of it on the way. */
export async function run(
  store: Store,
  sources: readonly FeedSource[],
  how: { replace: boolean; write: boolean; report: string | undefined },
): Promise<Outcome> {
  const report = how.report === undefined ? undefined : new Report(how.report);
  const sizes = sources.map(({ size }) => size);
  const progress = new Progress(sizes.every((size) => size !== undefined) ? sum(sizes) : undefined);
  const complaints = new Complaints(report, (line) => progress.say(line));
  try {
    const load = await begun(store, progress);
    const outcome = await takeFeeds(
      sources,
      load,
      {
        complaint: (complaint) => complaints.add(complaint),
        progress: (bytes, products) => progress.update(bytes, products),
        taken: (products) => progress.completing(products, how.write),
      },
      how,
    );
    progress.clear();
    complaints.summarise();
    report?.end(
      outcome,
      how.write,
      `; the ${how.write ? "import is applied" : "check is done"} all the same`,
    );
    return outcome;
  } catch (thrown) {
    const error = asRefusal(thrown);
    progress.clear();
    report?.end({ refused: (error as Error).message }, false);
    throw error;
  }
}

/** One import at a time: who waits for another one is told so. It may be a slow server, too. */
async function begun(store: Store, progress: Progress): Promise<ImportTransaction> {
  const timer = setTimeout(() => progress.say("Waiting: another import may be under way…"), WAIT_MS);
  try {
    return await store.beginImport();
  } finally {
    clearTimeout(timer);
  }
}

/** What a store may take to begin that has nobody to wait for. */
const WAIT_MS = 2000;

/** A full disk and its like are for the operator to mend, and nothing of the import has taken effect. */
function asRefusal(error: unknown): unknown {
  const code = String((error as { code?: unknown }).code ?? "");
  if (!/^(SQLITE_|ENOSPC|EFBIG|EDQUOT|EIO|EROFS)/.test(code)) return error;
  return new ImportError(`the catalog cannot be written (${(error as Error).message}); it is as it was`);
}

export function summary({ counts, products, revision, changed }: Outcome, same: string): string {
  const { added, updated, unchanged, deleted, rejected, tests, warnings } = counts;
  const parts = [
    `${count(added)} added`,
    `${count(updated)} updated`,
    `${count(unchanged)} unchanged`,
    `${count(deleted)} deleted`,
    `${count(rejected)} rejected`,
    ...(tests > 0 ? [`${count(tests)} test records`] : []),
    `${count(warnings)} warnings`,
  ];
  const end = changed ? `Revision ${revision}.` : same;
  return `${count(products)} products: ${parts.join(", ")}. ${end}`;
}

function sum(sizes: readonly (number | undefined)[]): number {
  return sizes.reduce<number>((total, size) => total + (size ?? 0), 0);
}
