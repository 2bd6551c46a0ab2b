/**
 * The token buckets of the rate limit in memory that all workers share: `--rate` counts a token over all of them.
 *
 * The memory is a hash table of fixed size, with linear probing and without locks: a process that stops or dies at any
 * point blocks nobody. A slot has a tag, which tells whose bucket it is, and the time at which the bucket is full again.
 * Slots are never given to another token. Instead there are generations, each with an empty table: the first request of a
 * token in a generation seals the slot of the generation before, and carries its time over.
 *
 * A request counts when its process has swapped the time, and the generation is still the same. So there are never too
 * few requests counted. A request that meets the start of a generation may count twice.
 *
 * Tags come from a keyed hash. Two tokens with the same tag near the same slot share a limit, which is stricter.
 */
import { createHmac } from "node:crypto";
import type { Caller } from "../../catalog/token-registry.ts";
import { bucketName, LocalRateBuckets, type RateBuckets } from "./rate-buckets.ts";
import type { SharedRateMemory, SlotTable } from "./shared-rate-memory.ts";

/** With a table that is half full, about one token in a million finds no slot within this distance. */
const MAX_PROBES = 64;
const NO_TAG = 0;
const NO_SLOT = -1;
/** The slot has no time yet: it is to be carried over from the generation before. */
const UNSET = 0n;
/** The smallest time: the bucket has long been full. */
const FULL = 1n;

/** Where the search for a bucket begins, and how it is recognised. */
interface Place {
  readonly home: number;
  readonly tag: number;
}

export class SharedRateBuckets implements RateBuckets {
  readonly #memory: SharedRateMemory;
  /** For tokens that find no slot: these are counted in each process. */
  readonly #overflow: LocalRateBuckets;
  /** Added to a time of this process, gives the supervisor's. */
  readonly #offsetMs: number;
  /** Hashing takes longer than all the rest. A verified token has one caller object while it is cached. */
  readonly #places = new WeakMap<Caller, Place>();
  /** The bucket that `fullAtMs` has found, and its time. */
  #generation = 0;
  #table: SlotTable;
  #slot = NO_SLOT;
  #bits = UNSET;

  constructor(memory: SharedRateMemory, windowMs: number, offsetMs = memory.clockOffsetMs()) {
    this.#memory = memory;
    this.#table = memory.table(0);
    this.#overflow = new LocalRateBuckets(windowMs);
    this.#offsetMs = offsetMs;
  }

  fullAtMs(caller: Caller, nowMs: number): number {
    const place = this.#placeOf(caller);
    for (;;) {
      this.#generation = this.#memory.generation;
      this.#table = this.#memory.table(this.#generation);
      this.#slot = this.#claim(this.#table, place);
      if (this.#slot === NO_SLOT) return this.#overflow.fullAtMs(caller, nowMs);
      this.#bits = this.#readTime(this.#generation, this.#slot, place);
      const sharedMs = toMs(this.#bits);
      // A sealed time belongs to a generation that has ended just now.
      if (sharedMs > 0) return sharedMs - this.#offsetMs;
    }
  }

  trySet(fullAtMs: number): boolean {
    if (this.#slot === NO_SLOT) return this.#overflow.trySet(fullAtMs);
    const next = toBits(fullAtMs + this.#offsetMs);
    return (
      Atomics.compareExchange(this.#table.times, this.#slot, this.#bits, next) === this.#bits &&
      // Otherwise the time may have been carried over before this request was counted.
      this.#memory.generation === this.#generation
    );
  }

  #placeOf(caller: Caller): Place {
    let place = this.#places.get(caller);
    if (!place) {
      const digest = createHmac("sha256", this.#memory.hashKey).update(bucketName(caller)).digest();
      place = { home: digest.readUInt32LE(0) % this.#memory.slots, tag: digest.readInt32LE(4) || 1 };
      this.#places.set(caller, place);
    }
    return place;
  }

  /** Returns the slot of the bucket, or the first free one, which is then its own. Returns NO_SLOT without either. */
  #claim({ tags }: SlotTable, { home, tag }: Place): number {
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const slot = (home + probe) % tags.length;
      let found = Atomics.load(tags, slot);
      if (found === NO_TAG) found = Atomics.compareExchange(tags, slot, NO_TAG, tag);
      if (found === tag || found === NO_TAG) return slot;
    }
    return NO_SLOT;
  }

  /** Returns the slot of the bucket, or NO_SLOT. */
  #search({ tags }: SlotTable, { home, tag }: Place): number {
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const slot = (home + probe) % tags.length;
      const found = Atomics.load(tags, slot);
      if (found === tag) return slot;
      if (found === NO_TAG) return NO_SLOT;
    }
    return NO_SLOT;
  }

  /** Returns the time of a slot, after carrying it over from the generation before where that has not been done. */
  #readTime(generation: number, slot: number, place: Place): bigint {
    const { times } = this.#memory.table(generation);
    const bits = Atomics.load(times, slot);
    if (bits !== UNSET) return bits;
    // Every process carries over the same value, because a sealed one does not change.
    const carried = this.#seal(generation - 1, place);
    const found = Atomics.compareExchange(times, slot, UNSET, carried);
    return found === UNSET ? carried : found;
  }

  /** Makes the time in an old generation unchangeable, and returns it. A sealed time is negative. */
  #seal(generation: number, place: Place): bigint {
    const slot = this.#search(this.#memory.table(generation), place);
    if (slot === NO_SLOT) return FULL;
    const { times } = this.#memory.table(generation);
    for (;;) {
      // Two generations ago every bucket was full: nothing has to be carried over from there.
      Atomics.compareExchange(times, slot, UNSET, FULL);
      const bits = Atomics.load(times, slot);
      const ms = toMs(bits);
      if (ms < 0) return toBits(-ms);
      if (Atomics.compareExchange(times, slot, bits, toBits(-ms)) === bits) return bits;
    }
  }
}

const float = new Float64Array(1);
const integer = new BigInt64Array(float.buffer);

/** Times are stored as the bits of a float64, because only integers can be swapped. */
function toBits(ms: number): bigint {
  float[0] = ms;
  return integer[0]!;
}

function toMs(bits: bigint): number {
  integer[0] = bits;
  return float[0]!;
}
