/** A request costs little, whatever its head and its parameters. `npm run fuzz -- costs` searches for minutes. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { describeHead, findExpensiveHeads } from "./fuzz/costs.ts";
import { HOSTILE_HEADS, plainHead } from "./fuzz/hostile-heads.ts";
import { MAX_TICK_MS, measureLongestTicks } from "./fuzz/longest-ticks.ts";
import { type MeasuredServer, medianCosts, startMeasuredServer } from "./fuzz/request-cost.ts";

/** The worst is below 3. A list of 62 kB that is parsed costs 20 to 50 times as much as a plain head of its size. */
const MAX_RATIO = 10;

let server: MeasuredServer;

beforeAll(async () => {
  server = await startMeasuredServer();
  // Lets the runtime compile the code.
  await server.measure(plainHead(60_000), 100);
});

afterAll(() => server[Symbol.asyncDispose]());

test.each(Object.entries(HOSTILE_HEADS))(
  "costs at most 10 times as much as a plain request of its size: %s",
  async (_, hostile) => {
    expect([200, 400, 401, 404, 431]).toContain(await server.send(hostile));
    const [cost, plainCost] = await medianCosts(server, [hostile, plainHead(hostile.length)]);
    expect(cost! / plainCost!).toBeLessThan(MAX_RATIO);
  },
);

test("a search of a second finds no head that costs 10 times as much as a plain one of its size", async () => {
  const { tried, worst } = await findExpensiveHeads(1000, 20260715);
  expect(tried).toBeGreaterThan(0);
  const found = worst.filter(({ ratio }) => ratio > MAX_RATIO);
  expect(found.map(({ candidate }) => describeHead(candidate))).toEqual([]);
});

test("no request with a token holds the event loop for more than 5 ms, for all endpoints, parameters and kinds of characters", async () => {
  const ticks = await measureLongestTicks("short");
  expect(ticks.filter(({ ms }) => ms > MAX_TICK_MS)).toEqual([]);
  expect(ticks.length).toBeGreaterThan(3000);
});
