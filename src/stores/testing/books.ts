/** Books for tests, and short functions to import them into a store and to read them. */

import { etagOf } from "../../catalog/entry.ts";
import { EMPTY_REVISION, RevisionSum } from "../../catalog/revision.ts";
import type { Selection } from "../../catalog/selection.ts";
import type { Batches, Entry, Store } from "../../catalog/store.ts";
import { anyRun } from "../../catalog/testing/import-runs.ts";
import type { Day } from "../../onix/date.ts";
import type { Isbn13 } from "../../onix/isbn.ts";

export { EMPTY_REVISION };

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export interface BookFields {
  readonly title?: string;
  /** The imprint's name. */
  readonly imprint?: string;
  /** Default: the imprint's name in lower case. */
  readonly slug?: string;
  readonly languages?: readonly string[];
  readonly published?: string;
  /** Default: a message without a sender. */
  readonly sender?: string;
  readonly reference?: string;
  readonly origin?: string;
}

export function isbn(number: number): Isbn13 {
  return `978${String(number).padStart(10, "0")}` as Isbn13;
}

export function book(number: number | Isbn13, fields: BookFields = {}): Entry {
  const id = typeof number === "number" ? isbn(number) : number;
  const body = encoder.encode(JSON.stringify({ id, title: fields.title ?? "" }));
  const { imprint } = fields;
  return {
    isbn: id,
    body,
    etag: etagOf(body),
    sender: fields.sender ?? "",
    reference: fields.reference ?? `ref-${id}`,
    imprint:
      imprint === undefined ? undefined : { slug: fields.slug ?? imprint.toLowerCase(), name: imprint },
    languages: fields.languages ?? [],
    published: fields.published as Day | undefined,
    origin: fields.origin ?? "{}",
  };
}

/** Returns books with consecutive numbers, both ends inclusive. */
export function books(from: number, to: number, fields: BookFields = {}): Entry[] {
  return Array.from({ length: to - from + 1 }, (_, index) => book(from + index, fields));
}

/** Returns the revision of a catalog with these records. */
export function revisionOf(entries: Iterable<Entry>): string {
  const sum = new RevisionSum(EMPTY_REVISION);
  for (const { etag } of entries) sum.change(undefined, etag);
  return sum.toString();
}

/** Imports and removes books as one feed. Returns the new revision. */
export async function importBooks(
  store: Store,
  put: readonly Entry[],
  remove: readonly Isbn13[] = [],
): Promise<string> {
  const transaction = await store.beginImport();
  const revision = new RevisionSum(transaction.revision);
  const statuses = await transaction.statusOf([...put.map((entry) => entry.isbn), ...remove]);
  statuses.forEach(({ etag }, index) => void revision.change(etag, put[index]?.etag));
  await transaction.put(put, 1);
  await transaction.remove(remove, 1);
  await transaction.commit(revision.toString(), anyRun());
  return revision.toString();
}

/** Returns all items of a list. */
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

/** Opens a snapshot, reads from it, and closes it. */
export async function readSnapshot<T>(
  store: Store,
  read: (snapshot: Awaited<ReturnType<Store["snapshot"]>>) => T | Promise<T>,
): Promise<T> {
  const snapshot = await store.snapshot();
  try {
    return await read(snapshot);
  } finally {
    snapshot.close();
  }
}

/** Returns the ISBNs of the selected records, in their order. */
export function selectIsbns(store: Store, selection: Selection): Promise<Isbn13[]> {
  return readSnapshot(store, async (snapshot) => (await collect(snapshot.bodies(selection))).map(isbnOfBody));
}
