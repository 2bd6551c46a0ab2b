/**
 * Ends what the journal says was begun: after a crash, after a lost connection, and after a move that failed. A feed
 * whose import was applied is only moved. A feed whose import was not applied is left for the next pass.
 */
import { dirname, join } from "node:path";
import { hasContent } from "./feed-file.ts";
import type { FeedTaker, WatchedStore } from "./feed-taker.ts";
import { freeTarget, isReportComplete, prepareFolders, replaceReport } from "./folder/filing.ts";
import { FolderProblem } from "./folder/folder-problem.ts";
import type { JournalEntry } from "./journal.ts";

interface Recovered {
  /** The names of feeds whose import was interrupted. */
  readonly interrupted: readonly string[];
  /** The feeds that still cannot be moved, with the reasons. */
  readonly unmoved: ReadonlyMap<string, string>;
}

export async function recover(taker: FeedTaker, openStore: () => Promise<WatchedStore>): Promise<Recovered> {
  const interrupted: string[] = [];
  const unmoved = new Map<string, string>();
  for (const entry of taker.unsettled()) {
    try {
      if ((await recoverEntry(taker, entry, openStore)) === "interrupted") interrupted.push(entry.name);
    } catch (error) {
      if (!(error instanceof FolderProblem)) throw error;
      unmoved.set(entry.name, error.message);
    }
  }
  return { interrupted, unmoved };
}

async function recoverEntry(
  taker: FeedTaker,
  entry: JournalEntry,
  openStore: () => Promise<WatchedStore>,
): Promise<"ended" | "interrupted"> {
  const { root, journal } = taker.options;
  const path = join(root, entry.name);
  const file = { path, folder: dirname(path) };
  const isInPlace = await hasContent(path, entry.contentKey);
  if (entry.decision) {
    prepareFolders(file.folder);
    await taker.settle(entry, entry.decision, file, isInPlace);
    return "ended";
  }
  if (!isInPlace || !(await isApplied(entry, await openStore()))) {
    taker.forget(entry);
    return isInPlace ? "interrupted" : "ended";
  }
  prepareFolders(file.folder);
  const note = "The feed was imported, but Colophon was ended before its report was complete.";
  if (!isReportComplete(file.folder, entry.id)) {
    replaceReport(file.folder, entry.id, { complaints: [], applied: true, note });
  }
  const decision = { outcome: "changed", target: freeTarget(file, "changed"), facts: {} } as const;
  journal.decide(entry.id, decision);
  const reason = "it was imported before Colophon was ended, and is only moved";
  await taker.settle(entry, decision, file, true, { reason });
  return "ended";
}

/**
 * Asks the store, which has committed the digest of a feed with its import. The same bytes may have been imported
 * before, so that only a later import counts.
 */
async function isApplied({ sha256, lastNumber }: JournalEntry, store: WatchedStore): Promise<boolean> {
  return ((await store.appliedFeeds([sha256])).get(sha256) ?? 0) > lastNumber;
}
