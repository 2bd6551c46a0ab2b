/** Clients that do not read a cached list hold its memory, also when the cache has dropped it. */
import { expect, test } from "bun:test";
import type { ResponseLease, ResponsePace } from "../../server/app.ts";
import { ProtocolError } from "../../server/request.ts";
import { parseRequest } from "../../server/testing/inject.ts";
import { importBooks } from "../../stores/testing/books.ts";
import { SQLITE } from "../../stores/testing/engines.ts";
import { createTestApi, type TestApp } from "../testing/api.ts";
import { LONG_LIST_PATH, longList } from "../testing/books.ts";
import { DroppedBodies, SharedBody } from "./dropped-bodies.ts";

const LIST_BYTES = 1_000_000;
const LIST = longList(LIST_BYTES);
const SLOW: ResponsePace = { stalledSeconds: 0, isSlow: true };

/** Requests a list until it is cached, if it ever is. Returns the lease of one more response, if that is from the cache. */
async function holdCached({ app, get, token }: TestApp, target: string): Promise<ResponseLease | undefined> {
  for (let count = 0; count < 5; count++) await get(target);
  const headers = new Headers({ Authorization: `Bearer ${token}` });
  const request = parseRequest({ method: "GET", target, headers });
  if (request instanceof ProtocolError) throw request;
  const { lease, info } = await app.handle(request);
  if (info.cacheHit) return lease;
  lease?.release();
  return undefined;
}

test("lists that clients hold are not dropped without end: no further one is cached until they are released", async () => {
  await using api = await createTestApi(SQLITE, { books: LIST });
  const app = await api.withOptions({ cacheBytes: 1.5 * LIST_BYTES });
  const leases: ResponseLease[] = [];
  const hold = async (variant: number) => {
    const lease = await holdCached(app, `${LONG_LIST_PATH}?variant=${variant}`);
    if (lease) leases.push(lease);
  };
  for (let variant = 0; variant < 5; variant++) await hold(variant);
  // One list fits into the cache. The first is dropped for the second, and takes more than its share.
  expect(leases).toHaveLength(2);
  const [dropped, cached] = leases as [ResponseLease, ResponseLease];
  const stalled = { stalledSeconds: 119, isSlow: false };
  expect([dropped.isRecalled(stalled), dropped.isRecalled(SLOW), cached.isRecalled(SLOW)]).toEqual([
    false,
    true,
    false,
  ]);
  dropped.release();
  dropped.release();
  expect(dropped.isRecalled(SLOW)).toBe(false);
  await hold(5);
  expect(leases).toHaveLength(3);
});

test("a list that several clients hold counts once, until the last of them has it", async () => {
  await using api = await createTestApi(SQLITE, { books: LIST });
  const app = await api.withOptions({ cacheBytes: 2.5 * LIST_BYTES });
  const first = [await holdCached(app, LONG_LIST_PATH), await holdCached(app, LONG_LIST_PATH)];
  await importBooks(api.store, longList(LIST_BYTES + 10_000));
  const other = `${LONG_LIST_PATH}?x`;
  // Counted twice, the dropped list would exceed its share of 1.25 MB, and nothing would be cached.
  const second = await holdCached(app, other);
  expect(second).toBeDefined();
  first[0]!.release();
  expect(first[1]!.isRecalled(SLOW)).toBe(false);
  await importBooks(api.store, longList(LIST_BYTES + 20_000));
  expect(await holdCached(app, other)).toBeUndefined();
  first[1]!.release();
  expect(await holdCached(app, other)).toBeDefined();
});

test("frees its own chunks as soon as neither the cache nor a client has them", () => {
  const chunksOf = () => [new Uint8Array(10), new Uint8Array(20)];
  const isFreed = (chunks: readonly Uint8Array[]) => chunks.every(({ length }) => length === 0);
  const unread = chunksOf();
  new SharedBody(30, new DroppedBodies(100), unread).drop();
  expect(isFreed(unread)).toBe(true);
  const read = chunksOf();
  const body = new SharedBody(30, new DroppedBodies(100), read);
  const leases = [body.lease("a"), body.lease("b")];
  body.drop();
  leases[0]!.release();
  leases[0]!.release();
  expect(read.map(({ length }) => length)).toEqual([10, 20]);
  leases[1]!.release();
  expect(isFreed(read)).toBe(true);
});
