import { FIRST_ISBN } from "../../../catalog/search/search-id.ts";
import type { CatalogState } from "../rows.ts";

/**
 * Remembers the ids of records that were read, so that a further lookup need not search the index of ISBNs. In a catalog
 * of 100,000 records, SQLite then takes 8 to 10 µs for a lookup instead of 12.
 *
 * A table whose size depends on the number of records, up to 8 MB. A new id takes the place of an older one.
 */
export class RecordIds {
  readonly #maxSetBits: number;
  /** Pairs of the lower 32 bits of an ISBN and an id. The pairs of a set follow each other. */
  #pairs: Uint32Array;
  #shift: number;
  #generation = "";
  /** Where the next id goes in a set that is full. */
  #nextVictim = 0;

  /** The table has at most 2 ** `maxSetBits` sets, of 32 bytes each. */
  constructor(maxSetBits = MAX_SET_BITS) {
    this.#maxSetBits = maxSetBits;
    this.#pairs = new Uint32Array(2 ** MIN_SET_BITS * SET_LENGTH);
    this.#shift = 32 - MIN_SET_BITS;
  }

  /** Sets the state of the catalog that ids are remembered of: see `CatalogState`. Forgets those of another one. */
  begin({ generation, records }: Pick<CatalogState, "generation" | "records">): void {
    if (generation === this.#generation) return;
    this.#generation = generation;
    const setBits = Math.min(
      Math.max(Math.ceil(Math.log2(records / IDS_PER_SET)), MIN_SET_BITS),
      this.#maxSetBits,
    );
    const length = 2 ** setBits * SET_LENGTH;
    if (this.#pairs.length === length) this.#pairs.fill(0);
    else this.#pairs = new Uint32Array(length);
    this.#shift = 32 - setBits;
  }

  /** Returns the id of a record. `read` searches the index in this state of the catalog. */
  find(generation: string, isbn: number, read: (isbn: number) => number | undefined): number | undefined {
    if (generation !== this.#generation || isbn < FIRST_ISBN || isbn > LAST_ISBN) return read(isbn);
    const known = this.#get(isbn);
    if (known !== undefined) return known;
    const id = read(isbn);
    if (id !== undefined && id <= MAX_UINT32) this.#set(isbn, id);
    return id;
  }

  #get(isbn: number): number | undefined {
    const key = isbn >>> 0;
    const start = this.#startOf(isbn);
    for (let index = start; index < start + SET_LENGTH; index += 2) {
      if (this.#pairs[index] === key && this.#pairs[index + 1] !== NO_ID) return this.#pairs[index + 1];
    }
    return undefined;
  }

  #set(isbn: number, id: number): void {
    let index = this.#startOf(isbn);
    const end = index + SET_LENGTH;
    while (index < end && this.#pairs[index + 1] !== NO_ID) index += 2;
    if (index === end) {
      this.#nextVictim = (this.#nextVictim + 2) % SET_LENGTH;
      index -= SET_LENGTH - this.#nextVictim;
    }
    this.#pairs[index] = isbn >>> 0;
    this.#pairs[index + 1] = id;
  }

  /** Within the range, ISBNs with the same lower 32 bits are in different sets: a pair need not have the upper ones. */
  #startOf(isbn: number): number {
    const set = (Math.imul(isbn >>> 0, GOLDEN_RATIO) >>> this.#shift) ^ (Math.floor(isbn / 2 ** 32) & 7);
    return set * SET_LENGTH;
  }
}

/** 8 MB, for a million ids. */
const MAX_SET_BITS = 18;
/** ISBNs with the same lower 32 bits need so many sets to be told apart. */
const MIN_SET_BITS = 3;
/** A set has room for four ids. The table is made for three on average, because some sets get more than others. */
const IDS_PER_SET = 3;
/** Only books have these prefixes. A client may request any 13 digits, and other numbers could match the pair of a book. */
export const LAST_ISBN = 9_799_999_999_999;
/** Ids begin with 1. */
const NO_ID = 0;
/** Four pairs: half a line of the processor's cache. */
const SET_LENGTH = 8;
const MAX_UINT32 = 2 ** 32 - 1;
/** 2 ** 32 divided by the golden ratio spreads consecutive keys (Knuth, TAOCP 6.4). */
const GOLDEN_RATIO = 0x9e3779b1;
