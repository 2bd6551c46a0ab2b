/**
 * Ends what the journal says was begun: after a crash, after a lost connection, and after a move that failed. A feed
 * whose import was applied is only moved. A feed whose import was not applied is left for the next pass.
 */
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openFileBytes } from "../file-bytes.ts";
import { hasContent } from "./feed-file.ts";
import { OPEN_FLAGS } from "./feed-header.ts";
import type { FeedTaker, WatchedStore } from "./feed-taker.ts";
import { freeTarget, isReportComplete, prepareFolders, replaceReport } from "./folder/filing.ts";
import { FolderProblem } from "./folder/folder-problem.ts";
import type { JournalEntry } from "./journal.ts";

export interface Recovered {
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
    await taker.settle(entry, entry.decision, file, isInPlace);
    return "ended";
  }
  if (!isInPlace || !(await isApplied(entry, path, await openStore()))) {
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
async function isApplied(entry: JournalEntry, path: string, store: WatchedStore): Promise<boolean> {
  const sha256 = await digestOf(path);
  const number = (await store.appliedFeeds([sha256])).get(sha256);
  return number !== undefined && number > entry.lastImport;
}

async function digestOf(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  const file = await open(path, OPEN_FLAGS);
  try {
    for await (const bytes of openFileBytes(file)) hasher.update(bytes);
  } finally {
    await file.close();
  }
  return hasher.digest("hex");
}
