import { expect, test } from "bun:test";
import { LookupBatcher } from "./lookup-batcher.ts";

/** Queries that are answered when the test says so. */
function queries() {
  const sent: { keys: readonly string[]; answer: PromiseWithResolvers<ReadonlyMap<string, string>> }[] = [];
  const ask = (keys: readonly string[]) => {
    const answer = Promise.withResolvers<ReadonlyMap<string, string>>();
    sent.push({ keys, answer });
    return answer.promise;
  };
  return { sent, ask };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("what is asked in one turn is one query, each key once", async () => {
  const { sent, ask } = queries();
  const gathering = new LookupBatcher(1, ask);
  const answers = Promise.all(["a", "b", "a", "c"].map((key) => gathering.get(key)));
  await turn();
  expect(sent.map(({ keys }) => keys)).toEqual([["a", "b", "c"]]);
  sent[0]!.answer.resolve(
    new Map([
      ["a", "A"],
      ["c", "C"],
    ]),
  );
  expect(await answers).toEqual(["A", undefined, "A", "C"]);
});

test("a question never joins a query that was sent before it: its answer might be too old", async () => {
  const { sent, ask } = queries();
  const gathering = new LookupBatcher(1, ask);
  const first = gathering.get("a");
  await turn();
  const second = gathering.get("a");
  await turn();
  expect(sent).toHaveLength(1);
  sent[0]!.answer.resolve(new Map([["a", "old"]]));
  await turn();
  expect(sent).toHaveLength(2);
  sent[1]!.answer.resolve(new Map([["a", "new"]]));
  expect(await Promise.all([first, second])).toEqual(["old", "new"]);
});

test("no more queries are under way than allowed, and none is larger than 64 keys", async () => {
  const { sent, ask } = queries();
  const gathering = new LookupBatcher(2, ask);
  const all = Promise.all(Array.from({ length: 200 }, (_, at) => gathering.get(String(at))));
  for (let answered = 0; answered < 4; answered++) {
    await turn();
    expect(sent.length - answered).toBeLessThanOrEqual(2);
    sent[answered]!.answer.resolve(new Map(sent[answered]!.keys.map((key) => [key, key])));
  }
  expect(await all).toEqual(Array.from({ length: 200 }, (_, at) => String(at)));
  expect(sent.map(({ keys }) => keys.length)).toEqual([64, 64, 64, 8]);
});

test("a failure is told to all who wait, and the next question is asked anew", async () => {
  const { sent, ask } = queries();
  const gathering = new LookupBatcher(1, ask);
  const outcome = (key: string) => gathering.get(key).catch((error: Error) => error.message);
  const flying = outcome("a");
  await turn();
  const waiting = outcome("b");
  sent[0]!.answer.reject(new Error("gone"));
  expect(await Promise.all([flying, waiting])).toEqual(["gone", "gone"]);
  const next = gathering.get("c");
  await turn();
  sent[1]!.answer.resolve(new Map([["c", "C"]]));
  expect(await next).toBe("C");
});
