import { describe, expect, test } from "bun:test";
import { StreamBudget, type StreamLease } from "./stream-budget.ts";

const KIB = 1024;

/** Takes memory that is there at once. */
function take(budget: StreamBudget, client: string, bytes: number): StreamLease {
  const lease = budget.acquire(client, bytes);
  if (lease === undefined || lease instanceof Promise) throw new Error("The budget has no memory");
  return lease;
}

function isWaiting(lease: unknown): lease is Promise<StreamLease | undefined> {
  return lease instanceof Promise;
}

describe("StreamBudget", () => {
  test("grants memory at once while there is some", () => {
    const budget = new StreamBudget({ maxBytes: 100 * KIB });
    take(budget, "a", 40 * KIB);
    take(budget, "b", 40 * KIB);
    expect(budget.usedBytes).toBe(80 * KIB);
    expect(isWaiting(budget.acquire("c", 40 * KIB))).toBe(true);
    expect(budget.waiting).toBe(1);
  });

  test("grants released memory to the list that waits, and counts a second release once", async () => {
    const budget = new StreamBudget({ maxBytes: 100 * KIB });
    const first = take(budget, "a", 60 * KIB);
    const second = budget.acquire("b", 60 * KIB);
    first.release();
    first.release();
    const lease = await second;
    expect(budget.usedBytes).toBe(60 * KIB);
    lease!.release();
    expect(budget.usedBytes).toBe(0);
  });

  test("gives up waiting after the time to wait", async () => {
    const budget = new StreamBudget({ maxBytes: 100 * KIB, maxWaitMs: 20 });
    take(budget, "a", 100 * KIB);
    expect(await budget.acquire("b", KIB)).toBeUndefined();
    expect(budget.waiting).toBe(0);
  });

  test("lists of clients that have left take no place of those that wait", async () => {
    const budget = new StreamBudget({ maxBytes: 100 * KIB });
    const leases = [take(budget, "a", 50 * KIB), take(budget, "b", 50 * KIB)];
    let hasLeft = false;
    const abandoned = Array.from({ length: 1000 }, (_, index) =>
      budget.acquire(index % 2 === 0 ? "a" : "b", KIB, () => hasLeft),
    );
    expect(budget.waiting).toBe(1000);
    expect(budget.acquire("c", KIB)).toBeUndefined();
    hasLeft = true;
    const waiting = budget.acquire("c", KIB);
    expect(budget.waiting).toBe(1);
    expect(new Set(await Promise.all(abandoned))).toEqual(new Set([undefined]));
    for (const lease of leases) lease.release();
    (await waiting)!.release();
    expect([budget.usedBytes, budget.waiting]).toEqual([0, 0]);
  });

  test("leaves a quarter of the memory to other clients", async () => {
    const budget = new StreamBudget({ maxBytes: 100 * KIB });
    for (let count = 0; count < 7; count++) take(budget, "greedy", 10 * KIB);
    expect(isWaiting(budget.acquire("greedy", 10 * KIB))).toBe(true);
    take(budget, "other", 10 * KIB);
  });

  test("leaves memory for the first lists of other clients, however many have more than one", () => {
    const budget = new StreamBudget({ maxBytes: 100 * KIB });
    for (let count = 0; count < 20; count++)
      for (const client of ["a", "b", "c"]) void budget.acquire(client, 5 * KIB);
    expect(budget.usedBytes).toBe(75 * KIB);
    for (const client of ["d", "e", "f", "g", "h"]) take(budget, client, 5 * KIB);
    expect(isWaiting(budget.acquire("d", 5 * KIB))).toBe(true);
  });

  test("grants memory first to the client that holds least", async () => {
    const budget = new StreamBudget({ maxBytes: 100 * KIB });
    const leases = [70, 30].map((size, index) => take(budget, `client ${index}`, size * KIB));
    const order: string[] = [];
    const wait = async (client: string) => {
      await budget.acquire(client, 30 * KIB);
      order.push(client);
    };
    void wait("client 0");
    void wait("new");
    leases[1]!.release();
    await Bun.sleep(0);
    expect(order).toEqual(["new"]);
  });

  test("skips a list whose client has left", async () => {
    const budget = new StreamBudget({ maxBytes: 100 * KIB });
    const lease = take(budget, "a", 100 * KIB);
    const left = budget.acquire("b", 50 * KIB, () => true);
    const next = budget.acquire("c", 50 * KIB);
    lease.release();
    expect(await left).toBeUndefined();
    expect(await next).toBeDefined();
    expect(budget.usedBytes).toBe(50 * KIB);
  });

  test("recalls a stalled list only when others wait, and no more than they need", async () => {
    const budget = new StreamBudget({ maxBytes: 100 * KIB });
    const leases = Array.from({ length: 7 }, () => take(budget, "greedy", 10 * KIB));
    const small = take(budget, "small", 30 * KIB);
    expect(leases.map((lease) => lease.isRecalled(60))).not.toContain(true);
    const waiting = budget.acquire("other", 20 * KIB);
    expect(leases.map((lease) => lease.isRecalled(4))).not.toContain(true);
    expect(small.isRecalled(60)).toBe(false);
    expect(leases.filter((lease) => lease.isRecalled(5))).toHaveLength(2);
    for (const lease of leases.slice(0, 2)) lease.release();
    expect(await waiting).toBeDefined();
    expect(leases.slice(2).map((lease) => lease.isRecalled(60))).not.toContain(true);
  });

  test("lets at most 1,000 lists wait, and 750 of one client", () => {
    const budget = new StreamBudget({ maxBytes: KIB, maxWaitMs: 1 });
    take(budget, "a", KIB);
    const waiting = (client: string) =>
      Array.from({ length: 1000 }, () => budget.acquire(client, KIB)).filter(isWaiting).length;
    expect([waiting("greedy"), waiting("other")]).toEqual([750, 250]);
  });

  test("a list that exceeds the whole budget is sent when it is the only one", () => {
    const budget = new StreamBudget({ maxBytes: KIB });
    take(budget, "a", 100 * KIB).release();
    take(budget, "b", KIB / 2);
    expect(isWaiting(budget.acquire("a", 100 * KIB))).toBe(true);
  });
});
