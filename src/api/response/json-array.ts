/** Lists: a JSON array from the batches of a store, block by block, at the reader's pace. */
import type { Batches, Imprint, Snapshot } from "../../catalog/store.ts";
import type { Awaitable } from "../../lib/awaitable.ts";
import { then } from "../../lib/awaitable.ts";
import { freeBuffer } from "../../lib/free-buffer.ts";
import { type Coding, StreamEncoder } from "./content-coding.ts";

/**
 * Bytes to be sent one after the other; undefined at the end. A block is good until the next one is asked for. Left
 * early or late, it is closed.
 */
export interface Blocks {
  next(): Awaitable<Uint8Array | undefined>;
  close(): void;
}

/** The items of a batch, each after a comma, the very first after the bracket. It may be put together on the desk. */
export type Join<T> = (batch: readonly T[], before: "[" | ",", desk: Desk) => Uint8Array;

/** Memory that a list uses again for each of its blocks: to have it made anew would cost as much as all the rest. */
export class Desk {
  #bytes = new Uint8Array(0);

  room(size: number): Uint8Array {
    if (size > this.#bytes.length) this.#bytes = new Uint8Array(size + (size >>> 3));
    return this.#bytes.subarray(0, size);
  }
}

/** A list as an answer: opened only when its body is wanted. Its view is closed in any case. */
export class List {
  constructor(
    readonly etag: string,
    readonly view: Pick<Snapshot, "close" | "revision">,
    readonly open: () => Blocks,
    /** A list up to this size, in bytes, is read at once, and is one body with a Content-Length. */
    readonly whole = WHOLE,
  ) {}
}

const WHOLE = 16 * 1024;

export function listOf<T>(
  etag: string,
  view: Snapshot,
  items: () => Batches<T>,
  join: Join<T>,
  whole?: number,
): List {
  return new List(etag, view, () => new JsonArray(items(), join, view), whole);
}

class JsonArray<T> implements Blocks {
  readonly #items: Iterator<readonly T[]> | AsyncIterator<readonly T[]>;
  readonly #join: Join<T>;
  readonly #view: Pick<Snapshot, "close">;
  readonly #desk = new Desk();
  #before: "[" | "," = "[";
  #state: "open" | "ended" | "closed" = "open";

  constructor(batches: Batches<T>, join: Join<T>, view: Pick<Snapshot, "close">) {
    this.#items = Symbol.iterator in batches ? batches[Symbol.iterator]() : batches[Symbol.asyncIterator]();
    this.#join = join;
    this.#view = view;
  }

  next(): Awaitable<Uint8Array | undefined> {
    return this.#state === "open" ? then(this.#items.next(), (step) => this.#take(step)) : undefined;
  }

  #take(step: IteratorResult<readonly T[]>): Awaitable<Uint8Array | undefined> {
    if (step.done) {
      this.#state = "ended";
      return encoder.encode(this.#before === "[" ? "[]" : "]");
    }
    if (step.value.length === 0) return this.next();
    const block = this.#join(step.value, this.#before, this.#desk);
    this.#before = ",";
    return block;
  }

  /** The view goes after its batches: an engine may still be busy with one when the client leaves. */
  close(): void {
    if (this.#state === "closed") return;
    const left = this.#state === "open";
    this.#state = "closed";
    let leaving: unknown;
    try {
      leaving = left ? this.#items.return?.() : undefined;
    } finally {
      if (leaving instanceof Promise) leaving.then(() => this.#view.close()).catch(() => this.#view.close());
      else this.#view.close();
    }
  }
}

/** The same in a content coding. */
export class EncodedBlocks implements Blocks {
  readonly #blocks: Blocks;
  readonly #encoder: StreamEncoder;
  #ended = false;

  constructor(blocks: Blocks, coding: Coding) {
    this.#blocks = blocks;
    this.#encoder = new StreamEncoder(coding);
  }

  async next(): Promise<Uint8Array | undefined> {
    while (!this.#ended) {
      const block = await this.#blocks.next();
      this.#ended = block === undefined;
      const ready = block === undefined ? await this.#encoder.end() : await this.#encoder.push(block);
      if (ready.length > 0) return ready;
    }
    return undefined;
  }

  close(): void {
    this.#encoder.close();
    this.#blocks.close();
  }
}

/** The beginning of a list: all of it when it is small. */
export interface Start {
  readonly bytes: Uint8Array;
  readonly whole: boolean;
}

/** Reads ahead until the end, or until there is more than `limit`. */
export function start(blocks: Blocks, limit: number): Awaitable<Start> {
  const read: Uint8Array[] = [];
  let size = 0;
  const more = (): Awaitable<Start> => {
    while (size <= limit) {
      const block = blocks.next();
      if (block instanceof Promise) return block.then((late) => (add(late) ? finish(true) : more()));
      if (add(block)) return finish(true);
    }
    return finish(false);
  };
  const add = (block: Uint8Array | undefined): boolean => {
    if (block === undefined) return true;
    read.push(new Uint8Array(block));
    size += block.length;
    return false;
  };
  const finish = (whole: boolean): Start => {
    if (read.length === 1) return { bytes: read[0]!, whole };
    const bytes = Buffer.concat(read, size);
    for (const block of read) freeBuffer(block);
    return { bytes, whole };
  };
  return more();
}

/** A list of which the beginning has been read. */
export function resume({ bytes }: Start, blocks: Blocks): Blocks {
  let first: Uint8Array | undefined = bytes;
  return {
    next() {
      if (first === undefined) return blocks.next();
      const begin = first;
      first = undefined;
      return begin;
    },
    close: () => blocks.close(),
  };
}

const encoder = new TextEncoder();

/** Records: their bytes as they are stored. */
export function joinBodies(batch: readonly Uint8Array[], before: "[" | ",", desk: Desk): Uint8Array {
  let size = 0;
  for (const body of batch) size += 1 + body.length;
  const joined = desk.room(size);
  let at = 0;
  for (const body of batch) {
    joined[at] = at === 0 && before === "[" ? 0x5b : 0x2c;
    joined.set(body, at + 1);
    at += 1 + body.length;
    freeBuffer(body);
  }
  return joined;
}

/** ISBNs are digits: nothing in them is to be escaped. */
export function joinIsbns(batch: readonly string[], before: "[" | ","): Uint8Array {
  return encoder.encode(`${before}"${batch.join('","')}"`);
}

export function joinImprints(batch: readonly Imprint[], before: "[" | ","): Uint8Array {
  const entries = batch.map(({ slug, name }) => JSON.stringify({ _id: { slug }, slug, name }));
  return encoder.encode(before + entries.join(","));
}
