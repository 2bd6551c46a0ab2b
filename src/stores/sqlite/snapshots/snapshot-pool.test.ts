/** Snapshots of superseded states end; snapshots of the current state go on, whatever is written meanwhile. */

import { Database } from "bun:sqlite";
import { expect } from "bun:test";
import type { Entry, Snapshot, Store } from "../../../catalog/store.ts";
import { SnapshotExpired } from "../../../catalog/store-errors.ts";
import { testsWith } from "../../../lib/testing/tests-with.ts";
import { waitFor } from "../../../lib/testing/wait-for.ts";
import { book, books, collect, importBooks, isbn } from "../../testing/books.ts";
import { logBytes } from "../log/log-keeper.ts";
import { openSqlite } from "../store.ts";
import { TempFolder } from "../testing/folder.ts";

const test = testsWith(() => new TempFolder());

const NEVER_MS = 1_000_000;

function failureOf(read: () => unknown): unknown {
  try {
    read();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Opens a store in a new folder with 300 books. The test closes both. */
async function openStore(folder: TempFolder, snapshotHoldMs: number): Promise<Store> {
  const store = openSqlite(folder.catalog, { create: true, snapshotHoldMs });
  await importBooks(store, books(1, 300, { imprint: "A", title: "x".repeat(2000) }));
  return store;
}

/** Commits a change of the file that is no change of the catalog, as an import does that changes no record. */
function commitNothing(path: string): void {
  const db = new Database(path);
  const { user_version } = db.query<{ user_version: number }, []>("PRAGMA user_version").get()!;
  db.run(`PRAGMA user_version = ${user_version}`);
  db.close();
}

const textOf = (item: unknown) =>
  item instanceof Uint8Array
    ? Buffer.from(item).toString()
    : JSON.stringify({ ...(item as Entry), body: "" });

const isEnded = (snapshot: Snapshot) => failureOf(() => snapshot.hasImprint("a")) instanceof SnapshotExpired;

test("a superseded snapshot ends after the hold time with SnapshotExpired, and lets the log go", async (folder) => {
  const store = await openStore(folder, 100);
  const snapshot = await store.snapshot();
  const list = (snapshot.bodies({ kind: "imprint", slug: "a" }) as Iterable<unknown>)[Symbol.iterator]();
  expect(list.next().done).toBe(false);
  await importBooks(store, [book(1, { title: "new" })]);
  await waitFor("the snapshot has ended", () => isEnded(snapshot));
  expect(failureOf(() => list.next())).toBeInstanceOf(SnapshotExpired);
  expect(failureOf(() => snapshot.missing([isbn(1)]))).toBeInstanceOf(SnapshotExpired);
  expect(store.load?.()).toMatchObject({ openLists: 0, oldestListMs: 0 });
  await importBooks(store, [book(1, { title: "newer" })]);
  expect(logBytes(folder.catalog)).toBe(0);
  snapshot.close();
  await store.close();
});

test("a superseded snapshot can be read to its end within the hold time", async (folder) => {
  const store = await openStore(folder, NEVER_MS);
  const snapshot = await store.snapshot();
  await importBooks(store, [book(9999)]);
  const later = await store.snapshot();
  expect(await collect(snapshot.isbns())).toHaveLength(300);
  expect(await collect(later.isbns())).toHaveLength(301);
  expect(store.load?.()).toMatchObject({ openLists: 2 });
  await store.close();
});

test("a snapshot of the current state does not end, also after an import that changes no record", async (folder) => {
  const store = await openStore(folder, 20);
  const snapshot = await store.snapshot();
  for (let round = 0; round < 5; round++) {
    await importBooks(store, []);
    await Bun.sleep(50);
    expect(isEnded(snapshot)).toBe(false);
  }
  expect(await collect(snapshot.isbns())).toHaveLength(300);
  await store.close();
});

test("an import that restores an earlier revision supersedes the snapshot all the same", async (folder) => {
  const store = await openStore(folder, 50);
  const snapshot = await store.snapshot();
  const revision = snapshot.revision;
  const other = openSqlite(folder.catalog);
  await importBooks(other, [book(9999)]);
  await importBooks(other, [], [isbn(9999)]);
  expect(await store.revision()).toBe(revision);
  await waitFor("the snapshot has ended", () => isEnded(snapshot));
  await other.close();
  await store.close();
});

test("at most eight superseded states are open, and the oldest ends first", async (folder) => {
  const store = await openStore(folder, NEVER_MS);
  const snapshots: Snapshot[] = [];
  for (let round = 0; round < 11; round++) {
    snapshots.push(await store.snapshot());
    await importBooks(store, [book(4000 + round)]);
  }
  const current = await store.snapshot();
  expect(snapshots.map(isEnded)).toEqual([true, true, true, ...Array(8).fill(false)]);
  expect(await collect(snapshots[3]!.isbns())).toHaveLength(303);
  expect(await collect(current.isbns())).toHaveLength(311);
  await store.close();
});

test("lists continue after their last row when the transaction is replaced between any two batches", async (folder) => {
  const store = openSqlite(folder.catalog, { create: true });
  const days = ["20240101", "20240102", "20240103"];
  const all = Array.from({ length: 6000 }, (_, number) =>
    book(number, {
      imprint: number % 2 === 0 ? "A" : `Imprint ${number % 1000}`,
      languages: [number % 3 === 0 ? "eng" : "spa"],
      published: days[number % 3]!,
      title: "x".repeat(100),
    }),
  );
  await importBooks(store, all);
  const lists: ((snapshot: Snapshot) => unknown)[] = [
    (snapshot) => snapshot.bodies({ kind: "imprint", slug: "a" }),
    (snapshot) => snapshot.bodies({ kind: "imprint", slug: "a", language: "spa" }),
    (snapshot) => snapshot.bodies({ kind: "date", from: "20240101" as never }),
    (snapshot) => snapshot.bodies({ kind: "date", from: "20240101" as never, to: "20240102" as never }),
    (snapshot) => snapshot.bodies({ kind: "isbns", isbns: all.map((entry) => entry.isbn) }),
    (snapshot) => snapshot.entries(),
    (snapshot) => snapshot.isbns(),
    (snapshot) => snapshot.imprints(),
  ];
  for (const list of lists) {
    const snapshot = await store.snapshot();
    const expected = await collect(list(snapshot) as Iterable<unknown[]>);
    const found: unknown[] = [];
    let batches = 0;
    for (const batch of list(snapshot) as Iterable<unknown[]>) {
      found.push(...batch);
      // A list that begins again would never end.
      if (++batches > 1000) break;
      commitNothing(folder.catalog);
      // Opening a snapshot notices the commit.
      (await store.snapshot()).close();
    }
    expect(batches).toBeGreaterThan(1);
    expect(found.map(textOf)).toEqual(expected.map(textOf));
    snapshot.close();
  }
  await store.close();
});
