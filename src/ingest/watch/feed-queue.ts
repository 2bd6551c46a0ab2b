/** Finds the feeds of a watched folder that can be taken, in their order. */
import type { MessageHeader } from "../../onix/message-header.ts";
import { type OrderedFeed, orderFeeds, readFeedHeader } from "./feed-order.ts";
import { contentKey, type FoundFile, scanFolder } from "./folder/folder-scan.ts";
import { Settling } from "./folder/settling.ts";
import type { WatchObserver } from "./watch-event.ts";

interface QueuedFeed extends OrderedFeed {
  /** False while the file is being written. Later feeds of its sender then wait. */
  readonly isComplete: boolean;
}

interface KnownHeader {
  /** The `contentKey` of the file that it was read from. */
  readonly key: string;
  readonly header: MessageHeader | undefined;
}

export class FeedQueue {
  readonly #root: string;
  readonly #observe: WatchObserver;
  readonly #settling: Settling;
  /** By name. */
  readonly #headers = new Map<string, KnownHeader>();
  #problems: ReadonlySet<string> = new Set();

  constructor(root: string, settleMs: number, observe: WatchObserver) {
    this.#root = root;
    this.#observe = observe;
    this.#settling = new Settling(settleMs);
  }

  /**
   * Scans the folder. Leaves out the names of `excluded`. Senders with a feed of `interrupted` come last.
   * @throws {FolderProblem} when the folder cannot be read
   */
  async find(
    excluded: ReadonlySet<string>,
    interrupted: ReadonlySet<string>,
  ): Promise<readonly QueuedFeed[]> {
    const scan = await scanFolder(this.#root);
    this.#reportProblems(scan.problems);
    const { complete, growing, oldestMs } = this.#settling.update(scan, performance.now());
    const feeds = complete.length + growing.length;
    this.#observe({ kind: "backlog", feeds, oldestSeconds: oldestMs / 1000 });
    const files = [...complete, ...growing].filter(({ name }) => !excluded.has(name));
    const isComplete = new Set(complete);
    for (const file of files) await this.#readHeader(file, isComplete.has(file));
    this.#forgetOthers(files);
    const ordered = orderFeeds(files, ({ name }) => this.#headers.get(name)?.header);
    const late = new Set(
      ordered.filter(({ file }) => interrupted.has(file.name)).map(({ sender }) => sender),
    );
    return [
      ...ordered.filter(({ sender }) => !late.has(sender)),
      ...ordered.filter(({ sender }) => late.has(sender)),
    ].map((feed) => ({ ...feed, isComplete: isComplete.has(feed.file) }));
  }

  /** The header of a file that grows is read until it is there, and once more when the file is complete. */
  async #readHeader(file: FoundFile, isComplete: boolean): Promise<void> {
    const key = contentKey(file.stamp);
    const known = this.#headers.get(file.name);
    if (known && (known.key === key || (known.header && !isComplete))) return;
    this.#headers.set(file.name, { key, header: await readFeedHeader(file) });
  }

  #forgetOthers(files: readonly FoundFile[]): void {
    const names = new Set(files.map(({ name }) => name));
    for (const name of this.#headers.keys()) if (!names.has(name)) this.#headers.delete(name);
  }

  /** Reports each problem once, until it is solved. */
  #reportProblems(problems: readonly string[]): void {
    for (const reason of problems) {
      if (this.#problems.has(reason)) continue;
      this.#observe({ kind: "watch", state: "skipped", folder: this.#root, reason });
    }
    this.#problems = new Set(problems);
  }
}
