/** Answers that are asked for often, within a budget of bytes. */
import { detachString } from "../../lib/detach-string.ts";

interface Kept<T> {
  readonly value: T;
  readonly size: number;
  /** Since it last was at the end of the queue. */
  used: boolean;
}

/** What an entry costs beside its own bytes and its key: places in the map, objects. Measured, rounded up. */
const OVERHEAD = 512;

/** Small ones are collected often enough. */
const LARGE = 1024 * 1024;

/** Up to this part of the budget there is room for more. */
const ROOMY = 0.9;

/** The size of a usual entry. */
const USUAL = 4096;

export class Cache<T> {
  readonly #budget: number;
  readonly #kept = new Map<string, Kept<T>>();
  /**
   * Keys that were asked for and are not kept, by a number each, with the times in its last two bits: about as many as
   * there is room for entries. What is not asked for again among so many others would not be asked for again while it
   * is kept, either.
   */
  readonly #met: Int32Array;
  #size = 0;
  #forgotten = 0;
  #held = 0;

  constructor(budget: number) {
    this.#budget = budget;
    this.#met = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(1, budget / USUAL))));
  }

  /** In bytes: never more than the budget. */
  get size(): number {
    return this.#size;
  }

  get(key: string): T | undefined {
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    kept.used = true;
    return kept.value;
  }

  /**
   * Whether the key was asked for before, not long ago: else who reads all of a catalog once would push out what
   * everyone asks for. Three times, when another would have to go for it: else those who read at random in a large
   * catalog would push each other out all the time, for nothing (measured: twice the work of an answer, that of the
   * store not counted, and 100 MB that wait to be collected).
   */
  wants(key: string): boolean {
    const hash = Bun.hash.xxHash32(key);
    const place = (hash >>> 8) & (this.#met.length - 1);
    const met = this.#met[place]!;
    const before = ((met ^ hash) & ~3) === 0 ? met & 3 : 0;
    this.#met[place] = (hash & ~3) | Math.min(before + 1, 3);
    return before >= (this.#size < this.#budget * ROOMY ? 1 : 3);
  }

  set(key: string, value: T, bytes: number): void {
    const size = bytes + key.length + OVERHEAD;
    this.#drop(key);
    if (size > this.#budget) return;
    this.#kept.set(detachString(key), { value, size, used: false });
    this.#size += size;
    this.#makeRoom();
  }

  /** So many bytes are in use by what may be set soon: they count as kept, and others make room for them. */
  hold(bytes: number): void {
    this.#held = bytes;
    this.#makeRoom();
  }

  clear(): void {
    this.#kept.clear();
    this.#forget(this.#size);
  }

  /** The oldest goes; what was used since it became the oldest gets another round. */
  #makeRoom(): void {
    for (const [key, kept] of this.#kept) {
      if (this.#size + this.#held <= this.#budget) return;
      this.#kept.delete(key);
      if (kept.used) {
        kept.used = false;
        this.#kept.set(key, kept);
      } else {
        this.#forget(kept.size);
      }
    }
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (!kept) return;
    this.#kept.delete(key);
    this.#forget(kept.size);
  }

  /** The collector is slow to see that large bodies are gone, and the budget would be kept on paper only. */
  #forget(bytes: number): void {
    this.#size -= bytes;
    if (bytes < LARGE) return;
    this.#forgotten += bytes;
    if (this.#forgotten < this.#budget / 2) return;
    this.#forgotten = 0;
    setImmediate(() => Bun.gc(true));
  }
}
