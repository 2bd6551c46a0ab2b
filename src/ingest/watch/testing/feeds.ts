/** Feeds of different senders, and a folder that they arrive in. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { message, product } from "../../../onix/testing/message.ts";
import { openSqlite } from "../../../stores/sqlite/store.ts";
import { TempFolder } from "../../../stores/sqlite/testing/folder.ts";
import type { WatchedStore } from "../feed-taker.ts";
import { FolderWatcher, type WatchOptions } from "../folder-watcher.ts";
import type { WatchEvent } from "../watch-event.ts";

export const ISBN = "9788437604947";

export interface FeedOptions {
  readonly sender?: string;
  readonly sent?: string;
  readonly number?: string;
  readonly title?: string;
  readonly isbn?: string;
}

/** Returns a message with one book. */
export function feedXml({
  sender = "A",
  sent = "20240101",
  number,
  title = "T",
  isbn = ISBN,
}: FeedOptions = {}) {
  const numberXml = number === undefined ? "" : `<MessageNumber>${number}</MessageNumber>`;
  return message(product({ isbn, title }))
    .replace("<SenderName>Test<", `<SenderName>${sender}<`)
    .replace("<SentDateTime>20240101</SentDateTime>", `${numberXml}<SentDateTime>${sent}</SentDateTime>`);
}

/** A watched folder with a catalog beside it. */
export class DropFolder implements AsyncDisposable {
  readonly #temp = new TempFolder();
  readonly #watchers: FolderWatcher[] = [];
  readonly path = join(this.#temp.path, "feeds");
  readonly catalog = this.#temp.catalog;
  readonly events: WatchEvent[] = [];
  /** Replaces the store of the next passes. */
  openStore: () => Promise<WatchedStore> = async () => openSqlite(this.catalog, { create: true });

  constructor() {
    mkdirSync(this.path);
  }

  put(name: string, content: string | Uint8Array): string {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  }

  /** Returns all files below the folder but the journal, sorted. */
  files(): string[] {
    const entries = readdirSync(this.path, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory() && !entry.name.startsWith(".colophon-watch"))
      .map((entry) => join(entry.parentPath, entry.name).slice(this.path.length + 1))
      .sort();
  }

  report(name: string): Record<string, unknown> {
    return JSON.parse(readFileSync(join(this.path, `${name}.report.json`), "utf8"));
  }

  /** Opens a watcher that takes files at once. */
  watcher(options: Partial<WatchOptions> = {}): FolderWatcher {
    const watcher = new FolderWatcher({
      folder: this.path,
      settleMs: 0,
      pollMs: 20,
      retryMs: 20,
      rules: { replace: false, allowRemovals: false, inOrder: false },
      openStore: () => this.openStore(),
      observe: (event) => this.events.push(event),
      ...options,
    });
    this.#watchers.push(watcher);
    return watcher;
  }

  /** Takes what is there with a watcher of its own. */
  async takeOnce(options: Partial<WatchOptions> = {}) {
    const watcher = this.watcher(options);
    try {
      return await watcher.runOnce(new AbortController().signal);
    } finally {
      watcher.close();
    }
  }

  /** Returns the feeds that were taken or postponed, as `outcome name`. */
  taken(): string[] {
    return this.events.flatMap((event) => (event.kind === "feed" ? [`${event.outcome} ${event.feed}`] : []));
  }

  /** Returns the outcomes of the imports that the store remembers, and the title of the book. */
  async title(isbn = ISBN): Promise<string | undefined> {
    const store = openSqlite(this.catalog);
    try {
      const record = store.record(isbn as never);
      if (!record) return undefined;
      const { DescriptiveDetail } = JSON.parse(Buffer.from((await record)!.body).toString());
      return DescriptiveDetail.TitleDetail.TitleElement.TitleText;
    } finally {
      await store.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const watcher of this.#watchers) watcher.close();
    this.#temp[Symbol.dispose]();
  }
}
