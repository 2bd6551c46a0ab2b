/** A store as it stands, nothing of it trusted: what `verify` looks at. An engine fills this in. */
import type { Isbn13 } from "../onix/isbn.ts";
import type { Batches, Entry } from "./store.ts";

/** An entry whose body has not been checked, or what was in the way of reading it. */
export type InspectedEntry =
  /** `fault` is what the engine can tell by itself. */
  | { readonly entry: Entry; readonly fault?: string | undefined }
  | { readonly isbn: Isbn13 | undefined; readonly unreadable: string };

/** How many records a store says to use a spelling of an imprint. */
export interface SpellingCount {
  readonly slug: string;
  readonly name: string;
  readonly records: number;
}

/** One state of a store, while imports go on. To be closed. */
export interface Inspection {
  /** As the store says. */
  readonly revision: string;
  readonly records: number;
  /** What the engine itself finds wrong with its files, in its own words. */
  faults(): Batches<string>;
  /** All of them, in whatever order is read fastest. */
  entries(): Batches<InspectedEntry>;
  spellings(): Batches<SpellingCount>;
  close(): Promise<void>;
}
