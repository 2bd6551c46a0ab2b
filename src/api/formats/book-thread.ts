/**
 * Writes large books, as products of ONIX, rows of CSV or summaries in a shape, on another thread: parsing one would hold
 * the event loop, and so all lookups. The thread starts with the first such book, writes one at a time, and ends when
 * there are none for a while. Clients take turns, however many books each has.
 */
import { summaryCsvLine } from "../../catalog/formats/csv.ts";
import type { ByteOutput } from "../../catalog/formats/list-writer.ts";
import { type OnixEntry, type OnixOptions, productText } from "../../catalog/formats/onix.ts";
import type { SearchQuery } from "../../catalog/search/query.ts";
import type { Awaitable } from "../../lib/awaitable.ts";
import { threadModule } from "../../lib/program-files.ts";
import { FairQueue } from "../../server/output/fair-queue.ts";
import { type SummaryShape, SummaryWriter } from "../summaries/summary-shape.ts";
import type { BookReply, BookRequest } from "./book.worker.ts";

/** A record of this size takes two to five milliseconds. */
export const MAX_INLINE_BYTES = 32 * 1024;

const IDLE_MS = 5000;

/** The book that is being written, and one that follows without a pause. The others wait in the queue. */
const MAX_POSTED = 2;

/** Writes a product, on this thread when it is small. `client` is the token that it is written for. */
export function writeProductText(
  entry: OnixEntry,
  options: OnixOptions,
  client: string,
): Awaitable<string | Uint8Array> {
  if (entry.body.length <= MAX_INLINE_BYTES) return productText(entry, options);
  const { body, reference, origin } = entry;
  return writeInTurn({ entry: { body, reference, origin }, options }, client);
}

/** Writes a row of CSV, on this thread when the summary is small. */
export function writeSummaryLine(summary: Uint8Array, client: string): Awaitable<string | Uint8Array> {
  return summary.length <= MAX_INLINE_BYTES ? summaryCsvLine(summary) : writeInTurn({ summary }, client);
}

/** Returns what writes summaries in a shape, on this thread when they are small. */
export function shapedSummaryWriter(
  { words, ...shape }: SummaryShape,
  query: SearchQuery | undefined,
  client: string,
): (summary: Uint8Array, output: ByteOutput) => Awaitable<void> {
  const writer = new SummaryWriter({ ...shape, words }, query);
  const shaping = { shape, query, subjects: words?.stored ?? {} };
  return (summary, output) => {
    if (summary.length <= MAX_INLINE_BYTES) return writer.write(summary, output);
    return writeInTurn({ summary, shaping }, client).then((late) => output.write(late));
  };
}

/** Posting a book copies a megabyte in less than a millisecond. */
const queue = new FairQueue(0.25, MAX_POSTED);

function writeInTurn(request: BookRequest, client: string): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    queue.add(() => {
      queue.beginRead(client);
      writeOnThread(request)
        .finally(() => queue.endRead(client))
        .then(resolve, reject);
    }, client);
  });
}

async function writeOnThread(request: BookRequest): Promise<Uint8Array> {
  thread ??= new BookThread();
  return thread.write(request);
}

let thread: BookThread | undefined;

class BookThread {
  readonly #worker = new Worker(threadModule("src/api/formats/book.worker.ts"));
  /** Requests without a reply, oldest first. The thread replies in order. */
  readonly #pending: PromiseWithResolvers<Uint8Array>[] = [];
  readonly #idleTimer = setTimeout(() => this.#end(), IDLE_MS).unref();

  constructor() {
    this.#worker.unref();
    this.#worker.onmessage = ({ data }: MessageEvent<BookReply>) => {
      const request = this.#pending.shift()!;
      if (data.bytes === undefined) request.reject(new Error(`A book cannot be written: ${data.failure}`));
      else request.resolve(data.bytes);
      this.#idleTimer.refresh();
    };
    // Such as a lack of memory. The next book starts another thread.
    this.#worker.onerror = ({ message }) =>
      this.#fail(new Error(`The thread of large books has failed: ${message}`));
  }

  write(request: BookRequest): Promise<Uint8Array> {
    const pending = Promise.withResolvers<Uint8Array>();
    this.#idleTimer.refresh();
    // It throws when memory is lacking. What was not posted has no reply, and must not receive that of another book.
    this.#worker.postMessage(request);
    this.#pending.push(pending);
    return pending.promise;
  }

  #end(): void {
    if (this.#pending.length > 0) this.#idleTimer.refresh();
    else this.#fail(new Error("The thread of large books has ended"));
  }

  #fail(error: Error): void {
    if (thread === this) thread = undefined;
    clearTimeout(this.#idleTimer);
    for (const { reject } of this.#pending.splice(0)) reject(error);
    this.#worker.terminate();
  }
}
