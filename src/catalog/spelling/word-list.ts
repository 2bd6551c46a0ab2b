/**
 * The words of the catalog that corrections are chosen from, in memory. They are sorted, so that words with the same
 * beginning follow each other, and a beginning that is too far from the searched word is skipped with all of them.
 */

export interface NearWord {
  readonly word: string;
  /** Edits: a letter more, less, or another one, and two neighbours that are exchanged. */
  readonly distance: number;
}

type Codes = Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;

/** A search pauses after so many cells of its rows. They take less than a millisecond, however long the words are. */
const CELLS_PER_STEP = 30_000;
/** What a word costs beside its rows. */
const CELLS_PER_WORD = 20;
const MAX_RUNS = 8;
const LAST_NARROW_CODE = 0xff;

export class WordList {
  /** The largest id that was read, and its word. */
  lastId = 0;
  lastWord = "";
  #runs: readonly SortedWords[] = [];

  /** True when it is faster to read all words again than to search many short runs. */
  get isFragmented(): boolean {
    const [first, ...others] = this.#runs;
    const added = others.reduce((sum, { size }) => sum + size, 0);
    return this.#runs.length > MAX_RUNS || added > (first?.size ?? 0) / 2;
  }

  clear(): void {
    this.#runs = [];
    this.lastId = 0;
  }

  add(run: WordRun, lastId: number, lastWord: string): void {
    this.#runs = [...this.#runs, ...run.lists.filter(({ size }) => size > 0)];
    this.lastId = lastId;
    this.lastWord = lastWord;
  }

  /**
   * Returns the words within a distance of a word, and yields from time to time. `isPrefix`: the distance is that of the
   * nearest beginning of a word.
   */
  *near(word: string, maxDistance: number, isPrefix = false): Generator<void, NearWord[]> {
    const found: NearWord[] = [];
    for (const run of this.#runs) yield* run.near(word, maxDistance, isPrefix, found);
    return found;
  }

  has(word: string): boolean {
    return this.#runs.some((run) => run.has(word));
  }
}

/** Sorted words that are being read. Nearly all have one byte for a letter. */
export class WordRun {
  readonly lists = [new SortedWords(Uint8Array), new SortedWords(Uint16Array)] as const;

  add(words: readonly string[]): void {
    const [narrow, wide] = this.lists;
    for (const word of words) if (!narrow.push(word)) wide.push(word);
  }
}

class SortedWords {
  readonly #Codes: typeof Uint8Array | typeof Uint16Array;
  #codes: Codes;
  #ends = new Uint32Array(1024);
  size = 0;

  constructor(codes: typeof Uint8Array | typeof Uint16Array) {
    this.#Codes = codes;
    this.#codes = new codes(8192);
  }

  /** Returns false for a word with a letter that does not fit. */
  push(word: string): boolean {
    const start = this.#start(this.size);
    if (start + word.length > this.#codes.length) this.#codes = grown(this.#codes, this.#Codes);
    if (this.size === this.#ends.length) this.#ends = grown(this.#ends, Uint32Array);
    for (let at = 0; at < word.length; at++) {
      const code = word.charCodeAt(at);
      if (code > LAST_NARROW_CODE && this.#Codes === Uint8Array) return false;
      this.#codes[start + at] = code;
    }
    this.#ends[this.size++] = start + word.length;
    return true;
  }

  /**
   * Computes the optimal string alignment distance, one row for each letter of a word of the list. The rows of the
   * letters that it shares with the word before stay.
   */
  *near(word: string, maxDistance: number, isPrefix: boolean, found: NearWord[]): Generator<void, void> {
    const width = word.length + 1;
    const maxLength = word.length + maxDistance;
    const target = Array.from(word, (_, at) => word.charCodeAt(at));
    const rows = new Uint8Array((maxLength + 2) * width);
    for (let column = 0; column < width; column++) rows[column] = column;
    /** The letters whose rows are computed. */
    const letters = new Uint16Array(maxLength + 2);
    let computed = 0;
    for (let index = 0, cells = 0; index < this.size; ) {
      cells += CELLS_PER_WORD;
      if (cells >= CELLS_PER_STEP) {
        cells = 0;
        yield;
      }
      const start = this.#start(index);
      const length = this.#ends[index]! - start;
      let depth = 0;
      while (depth < computed && depth < length && this.#codes[start + depth] === letters[depth]) depth++;
      let isFar = false;
      while (depth < length && !isFar) {
        letters[depth] = this.#codes[start + depth]!;
        depth++;
        cells += width;
        isFar = depth > maxLength || fillRow(rows, depth, width, letters, target, maxDistance);
      }
      computed = isFar ? depth - 1 : depth;
      let distance = isFar ? Number.POSITIVE_INFINITY : rows[length * width + width - 1]!;
      if (isPrefix)
        for (let row = 1; row <= computed; row++)
          distance = Math.min(distance, rows[row * width + width - 1]!);
      if (isFar && distance > maxDistance) index = this.#endOfPrefix(index, start, depth);
      else {
        if (distance > 0 && distance <= maxDistance) found.push({ word: this.#word(index), distance });
        index++;
      }
    }
  }

  has(word: string): boolean {
    let [low, high] = [0, this.size];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#word(middle) < word) low = middle + 1;
      else high = middle;
    }
    return low < this.size && this.#word(low) === word;
  }

  /** Returns the first word that does not begin with the same letters, by exponential search. */
  #endOfPrefix(index: number, start: number, length: number): number {
    let low = index;
    let step = 1;
    while (low + step < this.size && this.#begins(low + step, start, length)) {
      low += step;
      step *= 2;
    }
    let high = Math.min(this.size, low + step);
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.#begins(middle, start, length)) low = middle;
      else high = middle;
    }
    return high;
  }

  #begins(index: number, prefixStart: number, length: number): boolean {
    const start = this.#start(index);
    if (this.#ends[index]! - start < length) return false;
    for (let at = 0; at < length; at++)
      if (this.#codes[start + at] !== this.#codes[prefixStart + at]) return false;
    return true;
  }

  #start(index: number): number {
    return index === 0 ? 0 : this.#ends[index - 1]!;
  }

  #word(index: number): string {
    return String.fromCharCode(...this.#codes.subarray(this.#start(index), this.#ends[index]));
  }
}

/** Fills the row of the last letter. Returns true when no word that begins with these letters is near enough. */
function fillRow(
  rows: Uint8Array,
  depth: number,
  width: number,
  letters: Uint16Array,
  target: readonly number[],
  maxDistance: number,
): boolean {
  const row = depth * width;
  const above = row - width;
  const letter = letters[depth - 1]!;
  let least = depth;
  let leastAbove = depth - 1;
  rows[row] = depth;
  for (let column = 1; column < width; column++) {
    const isSame = target[column - 1] === letter;
    let distance = Math.min(
      rows[above + column]! + 1,
      rows[row + column - 1]! + 1,
      rows[above + column - 1]! + (isSame ? 0 : 1),
    );
    const isExchanged =
      depth > 1 && column > 1 && target[column - 2] === letter && target[column - 1] === letters[depth - 2];
    if (isExchanged) distance = Math.min(distance, rows[above - width + column - 2]! + 1);
    rows[row + column] = distance;
    if (distance < least) least = distance;
    if (rows[above + column]! < leastAbove) leastAbove = rows[above + column]!;
  }
  // An exchange leads from the row above to the next one.
  return least > maxDistance && leastAbove >= maxDistance;
}

function grown<T extends Codes | Uint32Array<ArrayBuffer>>(array: T, Type: new (length: number) => T): T {
  const copy = new Type(Math.ceil(array.length * 1.5));
  copy.set(array);
  return copy;
}
