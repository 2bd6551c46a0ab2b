import { describe, expect, test } from "bun:test";
import { StoreUnreachable } from "../../catalog/store-errors.ts";
import { waitFor } from "../../lib/testing/wait-for.ts";
import type { RequestFailedEvent } from "../event.ts";
import { FailureGatherer } from "./failure-gatherer.ts";

const failed = (message: string): RequestFailedEvent => ({
  kind: "failed",
  id: "1",
  client: "192.0.2.7",
  method: "GET",
  path: "/api/skus",
  route: "getSkus",
  error: new Error(message),
});

/** Returns a gatherer, and the counts that it has written. */
function gathererWithCounts(quietMs: number) {
  const counts: number[] = [];
  return { counts, gatherer: new FailureGatherer(({ count }) => counts.push(count), quietMs) };
}

describe("FailureGatherer", () => {
  test("writes the first failure at once, the others when the kind has ended, which is then new again", async () => {
    const { counts, gatherer } = gathererWithCounts(30);
    for (let count = 0; count < 10; count++) gatherer.add(failed("down"));
    expect(counts).toEqual([1]);
    await waitFor("the others are written", () => counts.length === 2);
    expect(counts).toEqual([1, 9]);
    gatherer.add(failed("down"));
    expect(counts).toEqual([1, 9, 1]);
    gatherer.flush();
  });

  test("a store that cannot be reached is one kind, whatever the symptom", () => {
    const { counts, gatherer } = gathererWithCounts(60_000);
    const errors = ["(timeout)", "(Connection closed)"].map(
      (cause) => new StoreUnreachable(`No response ${cause}`),
    );
    for (const error of errors) gatherer.add({ ...failed(""), error });
    gatherer.add({ kind: "fault", error: errors[0]! });
    expect(counts).toEqual([1]);
    gatherer.flush();
    expect(counts).toEqual([1, 2]);
  });

  test("writes nothing again at a flush", () => {
    const { counts, gatherer } = gathererWithCounts(60_000);
    gatherer.add(failed("down"));
    gatherer.flush();
    gatherer.flush();
    expect(counts).toEqual([1]);
    gatherer.add(failed("down"));
    gatherer.add(failed("down"));
    gatherer.flush();
    expect(counts).toEqual([1, 1, 1]);
  });

  test.each([
    ["The record of 9788400000004 is damaged", "The record of 9788400000011 is damaged"],
    ["revision 0123456789abcdef0123456789abcdef", "revision fedcba9876543210fedcba9876543210"],
    ["run d85d9593-b7b4-48f6-9051-16dcad9e0d3c", "run 00000000-0000-4000-8000-000000000000"],
  ])("takes %p and %p for one kind", (one, other) => {
    const { counts, gatherer } = gathererWithCounts(60_000);
    gatherer.add(failed(one));
    gatherer.add(failed(other));
    expect(counts).toEqual([1]);
    gatherer.flush();
  });

  test("survives an error that throws", () => {
    const { counts, gatherer } = gathererWithCounts(60_000);
    const error = new Proxy(new Error("x"), {
      get() {
        throw new Error("never");
      },
    });
    gatherer.add({ kind: "fault", error });
    gatherer.flush();
    expect(counts).toEqual([1]);
  });
});
