/** The memory of the rate limit that all workers share. The supervisor creates it and starts its generations. */
import { getRandomValues } from "node:crypto";

/** In each generation: 2.4 MB in all. */
const SLOTS = 65_536;
/** The current one, the one before, and the one that is emptied next. */
const GENERATIONS = 3;
const HASH_KEY_BYTES = 32;
const HEADER_BYTES = 64;
const SLOT_BYTES = Int32Array.BYTES_PER_ELEMENT + BigInt64Array.BYTES_PER_ELEMENT;

/** The slots of one generation. Memory of zeros is empty. */
export interface SlotTable {
  /** Tells whose bucket is in a slot. It is set once in a generation. */
  readonly tags: Int32Array;
  readonly times: BigInt64Array;
}

export class SharedRateMemory {
  readonly slots: number;
  readonly hashKey: Uint8Array<ArrayBuffer>;
  /** The supervisor's clock and the wall clock at the same moment, in milliseconds. */
  readonly #clocks: Float64Array;
  readonly #generation: Int32Array;
  readonly #tables: readonly SlotTable[];

  constructor(memory: Uint8Array<ArrayBuffer>) {
    const { buffer, byteOffset, byteLength } = memory;
    const slots = Math.floor((byteLength - HEADER_BYTES) / SLOT_BYTES / GENERATIONS);
    const timesOffset = byteOffset + HEADER_BYTES;
    const tagsOffset = timesOffset + GENERATIONS * slots * BigInt64Array.BYTES_PER_ELEMENT;
    this.slots = slots;
    this.hashKey = new Uint8Array(buffer, byteOffset, HASH_KEY_BYTES);
    this.#clocks = new Float64Array(buffer, byteOffset + HASH_KEY_BYTES, 2);
    this.#generation = new Int32Array(buffer, byteOffset + HASH_KEY_BYTES + this.#clocks.byteLength, 1);
    const times = new BigInt64Array(buffer, timesOffset, GENERATIONS * slots);
    const tags = new Int32Array(buffer, tagsOffset, GENERATIONS * slots);
    this.#tables = Array.from({ length: GENERATIONS }, (_, index) => ({
      tags: tags.subarray(index * slots, (index + 1) * slots),
      times: times.subarray(index * slots, (index + 1) * slots),
    }));
  }

  static bytes(slots = SLOTS): number {
    return HEADER_BYTES + GENERATIONS * slots * SLOT_BYTES;
  }

  /** Prepares memory of zeros. */
  initialize(): void {
    getRandomValues(this.hashKey);
    this.stampClocks();
  }

  /**
   * Called right before a worker starts. No clock is the same in two processes but the wall clock, and that may be set
   * while the service runs: only its progress from here to the start of the worker counts.
   */
  stampClocks(): void {
    this.#clocks[0] = performance.now();
    this.#clocks[1] = Date.now();
  }

  /** Returns what has to be added to the clock of this process for the supervisor's, to the millisecond. */
  clockOffsetMs(): number {
    const [supervisorMs = 0, wallMs = 0] = this.#clocks;
    return supervisorMs + (Date.now() - wallMs) - performance.now();
  }

  get generation(): number {
    return Atomics.load(this.#generation, 0);
  }

  /** Returns the table of a generation that is at most two older than the current one. */
  table(generation: number): SlotTable {
    return this.#tables[(generation + GENERATIONS) % GENERATIONS]!;
  }

  /**
   * Starts a generation. Only the supervisor calls it, at most once in a window. A bucket that was not used in a whole
   * generation is then full, and is forgotten.
   */
  startGeneration(): void {
    const next = this.generation + 1;
    const { times, tags } = this.table(next);
    times.fill(0n);
    tags.fill(0);
    Atomics.store(this.#generation, 0, next);
  }
}
