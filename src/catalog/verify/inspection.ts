/** The port behind `colophon verify`: the contents of a store as they are, without the checks of a normal read. */
import type { Isbn13 } from "../../onix/isbn.ts";
import type { BookCount } from "../quality/book-counts.ts";
import type { Batches, Entry, Imprint } from "../store.ts";

/** An entry whose body and summary are unchecked, or the reason why it cannot be read. */
export type InspectedEntry =
  /**
   * `fault` is a defect that the engine itself has found. `searchState` is that of the document in the search index at
   * the place of the book (`stateOf`); it is undefined when there is none. `editionTargets` are those of its stored
   * links, in ascending order.
   */
  | {
      readonly entry: Entry;
      readonly fault?: string | undefined;
      readonly searchState: string | undefined;
      readonly editionTargets: readonly string[];
    }
  | { readonly isbn: Isbn13 | undefined; readonly unreadable: string };

/** The number of records that use one spelling of an imprint's name, according to the store. */
export interface SpellingCount extends Imprint {
  readonly records: number;
}

/** One state of a store, readable while imports go on. The caller closes it. */
export interface Inspection {
  /** The revision according to the store. */
  readonly revision: string;
  /** The number of records according to the store. */
  readonly records: number;
  /** Lists the defects that the engine's own check finds in its files. */
  faults(): Batches<string>;
  /** Lists all entries, in the order that is fastest to read. */
  entries(): Batches<InspectedEntry>;
  spellings(): Batches<SpellingCount>;
  /** Lists the counts of books that the quality of the catalog is read from. */
  counts(): Batches<BookCount>;
  close(): Promise<void>;
}
