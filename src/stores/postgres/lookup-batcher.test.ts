import { expect, test } from "bun:test";
import { LookupBatcher } from "./lookup-batcher.ts";

/** Records the queries; the test resolves them. */
function recordQueries() {
  const sent: { keys: readonly string[]; result: PromiseWithResolvers<ReadonlyMap<string, string>> }[] = [];
  const query = (keys: readonly string[]) => {
    const result = Promise.withResolvers<ReadonlyMap<string, string>>();
    sent.push({ keys, result });
    return result.promise;
  };
  return { sent, query };
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

test("lookups of one event-loop tick share a query with each key once", async () => {
  const { sent, query } = recordQueries();
  const batcher = new LookupBatcher(1, query);
  const values = Promise.all(["a", "b", "a", "c"].map((key) => batcher.get(key)));
  await nextTick();
  expect(sent.map(({ keys }) => keys)).toEqual([["a", "b", "c"]]);
  sent[0]!.result.resolve(
    new Map([
      ["a", "A"],
      ["c", "C"],
    ]),
  );
  expect(await values).toEqual(["A", undefined, "A", "C"]);
});

test("a lookup never joins a query that was sent before, whose result might be stale", async () => {
  const { sent, query } = recordQueries();
  const batcher = new LookupBatcher(1, query);
  const first = batcher.get("a");
  await nextTick();
  const second = batcher.get("a");
  await nextTick();
  expect(sent).toHaveLength(1);
  sent[0]!.result.resolve(new Map([["a", "old"]]));
  await nextTick();
  expect(sent).toHaveLength(2);
  sent[1]!.result.resolve(new Map([["a", "new"]]));
  expect(await Promise.all([first, second])).toEqual(["old", "new"]);
});

test("the number of queries in flight and the keys of each are bounded", async () => {
  const { sent, query } = recordQueries();
  const batcher = new LookupBatcher(2, query);
  const all = Promise.all(Array.from({ length: 200 }, (_, index) => batcher.get(String(index))));
  for (let resolved = 0; resolved < 4; resolved++) {
    await nextTick();
    expect(sent.length - resolved).toBeLessThanOrEqual(2);
    sent[resolved]!.result.resolve(new Map(sent[resolved]!.keys.map((key) => [key, key])));
  }
  expect(await all).toEqual(Array.from({ length: 200 }, (_, index) => String(index)));
  expect(sent.map(({ keys }) => keys.length)).toEqual([64, 64, 64, 8]);
});

test("a failed query rejects all waiting lookups, and the next lookup sends a new query", async () => {
  const { sent, query } = recordQueries();
  const batcher = new LookupBatcher(1, query);
  const outcome = (key: string) => batcher.get(key).catch((error: Error) => error.message);
  const inFlight = outcome("a");
  await nextTick();
  const waiting = outcome("b");
  sent[0]!.result.reject(new Error("gone"));
  expect(await Promise.all([inFlight, waiting])).toEqual(["gone", "gone"]);
  const next = batcher.get("c");
  await nextTick();
  sent[1]!.result.resolve(new Map([["c", "C"]]));
  expect(await next).toBe("C");
});
