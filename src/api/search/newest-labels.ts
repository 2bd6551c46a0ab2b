/**
 * The labels of the newest books, in memory. An index reads all books that have a word with a common beginning before it
 * knows the newest of them: the shorter the beginning, the longer it takes. Here it takes no longer.
 */
import type { NewestMatches } from "../../catalog/search/search.ts";
import { wordsOf } from "../../catalog/search/word-writer.ts";
import type { Batches, ReadableStore } from "../../catalog/store.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { AFTER_IMPRINT } from "../../onix/summary/summary.ts";
import type { LabelledBook, TypedWord } from "./suggestions.ts";

/** A word that fewer of them have than a suggestion reads is one that an index finds fast. */
const NEWEST_BOOKS = 2000;
/** Counting more of them would take longer than it saves a search. */
const MAX_COUNTED = NEWEST_BOOKS / 10;
/** A batch of so many summaries takes less than 2 ms. */
const BATCH_BOOKS = 24;

/** The kinds of text that suggestions are found in. */
export type LabelField = "title" | "name" | "label";

interface KnownBooks {
  readonly revision: string;
  readonly labels: ReadonlyMap<string, LabelledBook>;
  readonly texts: Readonly<Record<LabelField, LabelTexts>>;
}

/** The folded words of books, newest first, in one text: searching it takes a tenth of the time of one text per book. */
class LabelTexts {
  /** Each word follows a space, and the words of each book a line feed. */
  #text = "";
  readonly #books: LabelledBook[] = [];
  readonly #ends: number[] = [];

  add(book: LabelledBook, texts: readonly (string | null)[]): void {
    this.#text += ` ${texts.flatMap((text) => wordsOf(text ?? "")).join(" ")} \n`;
    this.#books.push(book);
    this.#ends.push(this.#text.length);
  }

  /** Returns the first books that have all parts. */
  find([first, ...others]: readonly string[], limit: number): readonly LabelledBook[] {
    const found: LabelledBook[] = [];
    for (let index = 0, at = 0; found.length < limit; at = this.#ends[index++]!) {
      at = this.#text.indexOf(first!, at);
      if (at < 0) break;
      while (this.#ends[index]! <= at) index++;
      const words = this.#text.slice(this.#ends[index - 1] ?? 0, this.#ends[index]);
      if (others.every((part) => words.includes(part))) found.push(this.#books[index]!);
    }
    return found;
  }
}

export class NewestLabels {
  #known: KnownBooks | undefined;
  #reading: Promise<void> | undefined;

  /**
   * Returns the newest books of the present state of the catalog. The first caller reads them, and the others wait for
   * them: their suggestions must be the same. Returns undefined when an import ends meanwhile, or the store is busy.
   */
  async of(store: ReadableStore): Promise<KnownBooks | undefined> {
    const present = async () =>
      this.#known && (await store.revision()) === this.#known.revision ? this.#known : undefined;
    const known = await present();
    if (known) return known;
    this.#reading ??= readNewest(store)
      .then((known) => {
        this.#known = known;
      })
      .catch(() => {})
      .finally(() => {
        this.#reading = undefined;
      });
    await this.#reading;
    return await present();
  }
}

/** Returns how many of the known books have all words, up to a number that only common words reach. */
export function newestMatches(
  known: KnownBooks,
  field: LabelField,
  words: readonly TypedWord[],
): NewestMatches {
  const count = (counted: readonly TypedWord[]) => knownBooks(known, field, counted, MAX_COUNTED).length;
  const hasBoth = words.length > 1 && words.at(-1)!.isBegun;
  return {
    books: known.labels.size,
    matching: count(words),
    beginnings: hasBoth ? count(words.slice(-1)) : 0,
    others: hasBoth ? count(words.slice(0, -1)) : 0,
  };
}

/** Returns the newest known books whose text of a kind has all words. */
export function knownBooks(
  { texts }: KnownBooks,
  field: LabelField,
  typed: readonly TypedWord[],
  limit: number,
): readonly LabelledBook[] {
  const parts = typed.map(({ word, isBegun }) => (isBegun ? ` ${word}` : ` ${word} `));
  return texts[field].find(parts, limit);
}

/** No client is charged for it, so that the others do not wait for the turn of one that searches much. */
async function readNewest(store: ReadableStore): Promise<KnownBooks | undefined> {
  const request = { query: undefined, filters: {}, sort: "newest", isUncounted: true } as const;
  const { keys, revision } = await store.search({ ...request, limit: NEWEST_BOOKS });
  const snapshot = await store.snapshot();
  try {
    if (snapshot.revision !== revision) return undefined;
    const texts = { title: new LabelTexts(), name: new LabelTexts(), label: new LabelTexts() };
    const labels = await readLabels(
      (isbns) => snapshot.bodies({ kind: "isbns", isbns }, "summary"),
      keys.map(({ isbn }) => isbn),
      (book) => {
        texts.title.add(book, [book.title, book.subtitle]);
        texts.name.add(
          book,
          book.contributors.map(({ name }) => name),
        );
        texts.label.add(book, [book.collection, book.imprint]);
      },
    );
    return { revision, labels, texts };
  } finally {
    snapshot.close();
  }
}

/** Reads a batch in each tick: 72 books with a hundred contributors each take 20 ms. Books that are gone are left out. */
export async function readLabels(
  summariesOf: (isbns: readonly Isbn13[]) => Batches<Uint8Array>,
  isbns: readonly Isbn13[],
  onBook: (book: LabelledBook) => void = () => {},
): Promise<ReadonlyMap<string, LabelledBook>> {
  const labels = new Map<string, LabelledBook>();
  for (let from = 0; from < isbns.length; from += BATCH_BOOKS) {
    const batch = isbns.slice(from, from + BATCH_BOOKS);
    for await (const summaries of summariesOf(batch)) {
      for (const summary of summaries) {
        const book = labelOf(summary);
        labels.set(book.isbn, book);
        onBook(book);
      }
    }
    await new Promise(setImmediate);
  }
  return labels;
}

/** Descriptions are most of the bytes of summaries. */
const AFTER_LABELS = Buffer.from(AFTER_IMPRINT);
const AFTER_TITLES = Buffer.from(',"contributors":');
/** Of a book with more, that is with some 80 contributors, the titles are read alone: the names of 72 such books take 5 ms. */
const MAX_LABEL_BYTES = 4 * 1024;

function labelOf(summary: Uint8Array): LabelledBook {
  const { buffer, byteOffset, byteLength } = summary;
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const textUpTo = (end: number) => (end < 0 ? bytes.toString() : `${bytes.toString("utf8", 0, end)}}`);
  const end = bytes.indexOf(AFTER_LABELS);
  if ((end < 0 ? byteLength : end) <= MAX_LABEL_BYTES) return JSON.parse(textUpTo(end));
  return { ...JSON.parse(textUpTo(bytes.indexOf(AFTER_TITLES))), contributors: [], imprint: null };
}
