/** Books for the contract, and the shortest ways to put them into a store and to read them again. */
import { etagOf } from "../../catalog/entry.ts";
import { EMPTY_REVISION, RevisionSum } from "../../catalog/revision.ts";
import type { Batches, Entry, Selection, Store } from "../../catalog/store.ts";
import type { Day } from "../../onix/date.ts";
import type { Isbn13 } from "../../onix/isbn.ts";

export { EMPTY_REVISION };

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export interface BookFields {
  readonly title?: string;
  /** The name; its slug is the name in lower case, unless one is given. */
  readonly imprint?: string;
  readonly slug?: string;
  readonly languages?: readonly string[];
  readonly published?: string;
  readonly reference?: string;
  readonly origin?: string;
}

export function isbn(number: number): Isbn13 {
  return `978${String(number).padStart(10, "0")}` as Isbn13;
}

export function book(number: number | Isbn13, traits: BookFields = {}): Entry {
  const id = typeof number === "number" ? isbn(number) : number;
  const body = encoder.encode(JSON.stringify({ id, title: traits.title ?? "" }));
  const { imprint } = traits;
  return {
    isbn: id,
    body,
    etag: etagOf(body),
    reference: traits.reference ?? `ref-${id}`,
    imprint:
      imprint === undefined ? undefined : { slug: traits.slug ?? imprint.toLowerCase(), name: imprint },
    languages: traits.languages ?? [],
    published: traits.published as Day | undefined,
    origin: traits.origin ?? "{}",
  };
}

export function books(from: number, to: number, traits: BookFields = {}): Entry[] {
  return Array.from({ length: to - from + 1 }, (_, index) => book(from + index, traits));
}

/** One import of one feed; the revision is what the catalog makes it. */
export async function importBooks(
  store: Store,
  put: readonly Entry[],
  remove: readonly Isbn13[] = [],
): Promise<string> {
  const load = await store.beginImport();
  const revision = new RevisionSum(load.revision);
  const held = await load.statusOf([...put.map((entry) => entry.isbn), ...remove]);
  held.forEach(({ etag }, index) => void revision.change(etag, put[index]?.etag));
  await load.put(put, 1);
  await load.remove(remove, 1);
  await load.commit(revision.toString());
  return revision.toString();
}

export async function collect<T>(batches: Batches<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const batch of batches) items.push(...batch);
  return items;
}

export function isbnOfBody(body: Uint8Array): Isbn13 {
  return JSON.parse(decoder.decode(body)).id;
}

export function titleOfBody(body: Uint8Array): string {
  return JSON.parse(decoder.decode(body)).title;
}

/** The ISBNs of a selection's bodies, in their order. */
export async function selectIsbns(store: Store, selection: Selection): Promise<Isbn13[]> {
  const view = await store.snapshot();
  try {
    return (await collect(view.bodies(selection))).map(isbnOfBody);
  } finally {
    view.close();
  }
}
