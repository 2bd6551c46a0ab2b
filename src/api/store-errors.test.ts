import { expect, test } from "bun:test";
import type { ReadableStore, Snapshot } from "../catalog/store.ts";
import { StoreUnavailable, withStoreErrors } from "./store-errors.ts";

const LISTS = 50;
const BATCH = 20;

/** Returns a store whose snapshots have these bodies. */
function storeWith(bodies: () => Iterable<readonly Uint8Array[]>): ReadableStore {
  const snapshot = { revision: "1", bodies, close() {} } as unknown as Snapshot;
  return { snapshot: () => snapshot, importHistory: {} } as unknown as ReadableStore;
}

async function openList(store: ReadableStore): Promise<Iterator<readonly Uint8Array[]>> {
  const snapshot = await withStoreErrors(store).snapshot();
  const batches = snapshot.bodies({ kind: "isbns", isbns: [] });
  return (batches as Iterable<readonly Uint8Array[]>)[Symbol.iterator]();
}

test("a list holds no batch while the next one is not read", async () => {
  const references: WeakRef<Uint8Array>[] = [];
  const makeBody = () => {
    const body = new Uint8Array(10);
    references.push(new WeakRef(body));
    return body;
  };
  const bodies = () => ({
    [Symbol.iterator]: () => ({
      next: () => ({ done: false, value: Array.from({ length: BATCH }, makeBody) }),
    }),
  });
  const lists = await Promise.all(Array.from({ length: LISTS }, () => openList(storeWith(bodies))));
  for (let round = 0; round < 3; round++) {
    for (const list of lists) list.next();
    await new Promise(setImmediate);
  }
  Bun.gc(true);
  const held = references.filter((reference) => reference.deref() !== undefined);
  // The stack is scanned conservatively, and may hold the batches of some lists.
  expect(held.length).toBeLessThan((LISTS * BATCH) / 4);
});

test("a list that fails throws StoreUnavailable, while it is read and when it is left", async () => {
  const fail = (): never => {
    throw new Error("the disk is gone");
  };
  const list = await openList(storeWith(() => ({ [Symbol.iterator]: () => ({ next: fail, return: fail }) })));
  expect(() => list.next()).toThrow(StoreUnavailable);
  expect(() => list.return?.()).toThrow(StoreUnavailable);
});
