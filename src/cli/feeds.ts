/** The way of feeds into a catalog: shared by import, check and the sample. */
import { statSync } from "node:fs";
import { basename } from "node:path";
import { Import } from "../catalog/import.ts";
import type { Load } from "../catalog/port.ts";
import type { Complaint, Counts } from "../catalog/report.ts";
import { documents } from "../onix/archive.ts";
import { readFeed } from "../onix/reader.ts";
import { FeedRefused } from "../onix/refused.ts";

/** A feed to be read: a file, standard input, or something of our own. */
export interface FeedSource {
  readonly name: string;
  /** In bytes, where it is known beforehand. */
  readonly size: number | undefined;
  open(): AsyncIterable<Uint8Array>;
}

export interface Watcher {
  complaint(complaint: Complaint): void;
  /** Called often: bytes of all feeds taken in so far, and products. */
  progress(bytes: number, products: number): void;
}

export interface Outcome {
  readonly counts: Counts;
  readonly products: number;
  readonly revision: string;
  readonly changed: boolean;
}

/** A feed that was refused, with its name; nothing of the import has taken effect. */
export class ImportRefused extends Error {}

/** What the command line names. Refuses what cannot be read before anything is opened. */
export function sourceOf(path: string): FeedSource {
  if (path === "-") return { name: "standard input", size: undefined, open: () => Bun.stdin.stream() };
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) throw new ImportRefused(`${path}: there is no such file`);
  if (stat.isDirectory()) throw new ImportRefused(`${path}: is a folder; name the feeds in it`);
  return { name: path, size: stat.isFile() ? stat.size : undefined, open: () => Bun.file(path).stream() };
}

/**
 * Takes all feeds into one load, in their order, and commits it; or aborts it when one of them is refused, or
 * when nothing is to be written.
 */
export async function takeFeeds(
  sources: readonly FeedSource[],
  load: Load,
  watcher: Watcher,
  { replace, write }: { replace: boolean; write: boolean },
): Promise<Outcome> {
  const work = new Import(load, (complaint) => watcher.complaint(complaint));
  let bytes = 0;
  let products = 0;
  let feed = 0;
  let current = "";
  try {
    for (const source of sources) {
      current = source.name;
      for await (const document of documents(counted(source), basename(source.name))) {
        feed++;
        const file =
          document.name === basename(source.name) ? source.name : `${source.name}: ${document.name}`;
        current = file;
        for await (const batch of readFeed(document.bytes)) {
          await work.take(batch, { file, feed, release: batch.header.release });
          products += batch.products.length;
          watcher.progress(bytes, products);
        }
      }
    }
    const { revision, changed } = write ? await work.commit(replace) : await work.preview(replace);
    return { counts: work.counts, products, revision, changed };
  } catch (error) {
    await load.abort();
    throw error instanceof FeedRefused ? new ImportRefused(`${current}: ${error.message}`) : error;
  }

  async function* counted(source: FeedSource): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of source.open()) {
        bytes += chunk.length;
        yield chunk;
      }
    } catch (error) {
      throw new ImportRefused(`${source.name}: cannot be read: ${(error as Error).message}`);
    }
  }
}
