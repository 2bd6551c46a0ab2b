/** The way of feeds into a catalog: shared by import, check and the sample. */
import { statSync } from "node:fs";
import { Import } from "../catalog/import.ts";
import type { Complaint, Counts } from "../catalog/report.ts";
import type { ImportTransaction } from "../catalog/store.ts";
import { ImportError, type PreparedBatch } from "./feed-batches.ts";
import { preparedByWorker } from "./reader-thread.ts";

/** A feed to be read: a file, standard input, or something of our own. */
export interface FeedSource {
  readonly name: string;
  /** In bytes, where it is known beforehand. */
  readonly size: number | undefined;
  prepared(): AsyncIterable<PreparedBatch>;
}

export interface Watcher {
  complaint(complaint: Complaint): void;
  /** Called often: bytes of all feeds taken in so far, and products. */
  progress(bytes: number, products: number): void;
  /** All feeds are read; what is left is the store's work, which may take a while. */
  taken(products: number): Promise<void>;
}

export interface Outcome {
  readonly counts: Counts;
  readonly products: number;
  readonly revision: string;
  readonly changed: boolean;
}

/** What the command line names. Refuses what cannot be read before anything is opened. */
export function sourceOf(path: string): FeedSource {
  if (path === "-") return { name: "standard input", size: undefined, prepared: () => preparedByWorker("-") };
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) throw new ImportError(`${path}: there is no such file`);
  if (stat.isDirectory()) throw new ImportError(`${path}: is a folder; name the feeds in it`);
  return { name: path, size: stat.isFile() ? stat.size : undefined, prepared: () => preparedByWorker(path) };
}

/**
 * Takes all feeds into one load, in their order, and commits it; or aborts it when one of them is refused, or
 * when nothing is to be written.
 */
export async function takeFeeds(
  sources: readonly FeedSource[],
  load: ImportTransaction,
  watcher: Watcher,
  { replace, write }: { replace: boolean; write: boolean },
): Promise<Outcome> {
  const work = new Import(load, (complaint) => watcher.complaint(complaint));
  let bytesBefore = 0;
  let feedsBefore = 0;
  let products = 0;
  try {
    for (const source of sources) {
      let [bytes, documents] = [0, 0];
      for await (const batch of source.prepared()) {
        ({ bytes, document: documents } = batch);
        const from = { file: batch.file, feed: feedsBefore + documents };
        work.reportWarnings(batch.notes, from);
        await work.apply(batch.products, from);
        products += batch.products.length;
        watcher.progress(bytesBefore + bytes, products);
      }
      bytesBefore += bytes;
      feedsBefore += documents;
    }
    await watcher.taken(products);
    const { revision, changed } = write ? await work.commit(replace) : await work.preview(replace);
    return { counts: work.counts, products, revision, changed };
  } catch (error) {
    await load.abort();
    throw error;
  }
}
