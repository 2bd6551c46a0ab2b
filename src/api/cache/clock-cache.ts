/** A cache with CLOCK eviction, within a budget of bytes. */
import { detachString } from "../../lib/text.ts";

interface CacheEntry<T> {
  readonly value: T;
  readonly sizeBytes: number;
  /** True when the entry was used since the clock hand last passed. */
  used: boolean;
}

/** The memory of an entry beside its own bytes and its key: map slots and objects. Measured, rounded up. */
const ENTRY_OVERHEAD_BYTES = 512;

/** Below this part of the budget, a new entry evicts nothing. */
const FREE_ADMISSION_SHARE = 0.9;

const TYPICAL_ENTRY_BYTES = 4096;

export class ClockCache<T> {
  readonly #budgetBytes: number;
  readonly #onDrop: (value: T) => void;
  readonly #entries = new Map<string, CacheEntry<T>>();
  /**
   * Hashes of keys that missed, each with a count in its two lowest bits, in about as many slots as entries fit. A key
   * that is not requested again among so many others would not be requested again while it is cached, either.
   */
  readonly #misses: Int32Array;
  #sizeBytes = 0;
  #reservedBytes = 0;

  /** Calls `onDrop` with each value that the cache no longer has, which frees what is large. */
  constructor(budgetBytes: number, onDrop: (value: T) => void = () => {}) {
    this.#budgetBytes = budgetBytes;
    this.#onDrop = onDrop;
    this.#misses = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(1, budgetBytes / TYPICAL_ENTRY_BYTES))));
  }

  /** Never exceeds the budget. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    entry.used = true;
    return entry.value;
  }

  /**
   * Counts a miss. Returns whether the value is worth storing: its key missed before, not long ago. Otherwise one client
   * that reads the whole catalog would evict what everyone requests. When another entry would have to go, the key must
   * have missed three times: random reads in a large catalog would else evict each other for nothing (measured: twice
   * the work of a response, without the store's part, and 100 MB of garbage).
   */
  countMiss(key: string): boolean {
    const hash = Bun.hash.xxHash32(key);
    const slot = (hash >>> 8) & (this.#misses.length - 1);
    const stored = this.#misses[slot]!;
    const count = ((stored ^ hash) & ~3) === 0 ? stored & 3 : 0;
    this.#misses[slot] = (hash & ~3) | Math.min(count + 1, 3);
    return count >= (this.#sizeBytes < this.#budgetBytes * FREE_ADMISSION_SHARE ? 1 : 3);
  }

  set(key: string, value: T, valueBytes: number): void {
    const sizeBytes = valueBytes + key.length + ENTRY_OVERHEAD_BYTES;
    this.#delete(key);
    if (sizeBytes > this.#budgetBytes) return;
    this.#entries.set(detachString(key), { value, sizeBytes, used: false });
    this.#sizeBytes += sizeBytes;
    this.#evict();
  }

  /** Reserves bytes for a value that is being built. They count towards the budget. */
  reserve(bytes: number): void {
    this.#reservedBytes = bytes;
    this.#evict();
  }

  clear(): void {
    for (const { value } of this.#entries.values()) this.#onDrop(value);
    this.#entries.clear();
    this.#sizeBytes = 0;
  }

  /** CLOCK: the oldest entry goes; one that was used moves to the end. */
  #evict(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#sizeBytes + this.#reservedBytes <= this.#budgetBytes) return;
      this.#entries.delete(key);
      if (entry.used) {
        entry.used = false;
        this.#entries.set(key, entry);
      } else {
        this.#onDrop(entry.value);
        this.#sizeBytes -= entry.sizeBytes;
      }
    }
  }

  #delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#onDrop(entry.value);
    this.#sizeBytes -= entry.sizeBytes;
  }
}
