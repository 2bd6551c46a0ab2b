/** A short run of the comparison of head readings. `npm run fuzz -- heads` runs for minutes. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { MAX_HEAD_BYTES } from "../../src/server/limits.ts";
import { cutsOf, differenceInAnyCut, differenceInReadings, longRequest, shortStreams } from "./heads.ts";

test("reads 100 streams of requests alike, cut at each of their bytes", () => {
  fc.assert(
    fc.property(shortStreams, (text) => {
      expect(differenceInAnyCut(text)).toBeUndefined();
    }),
    { seed: 20260715, numRuns: 100, endOnFailure: true },
  );
});

test("reads 2,000 streams of requests alike, cut at several bytes", () => {
  const cutStreams = shortStreams.chain((text) => fc.tuple(fc.constant(text), cutsOf(text.length)));
  fc.assert(
    fc.property(cutStreams, ([text, cuts]) => {
      expect(differenceInReadings(text, cuts)).toBeUndefined();
    }),
    { seed: 20260715, numRuns: 2000, endOnFailure: true },
  );
});

test.each(["head", "target"] as const)(
  "reads a request alike in one piece and in two when its %s is about as long as allowed",
  (part) => {
    for (let over = -5; over <= 5; over++) {
      const text = longRequest(part, over);
      for (let cut = text.length - 8; cut < text.length; cut++)
        expect(differenceInReadings(text, [cut])).toBeUndefined();
    }
  },
);

test("refuses a head of 90 kB after one with the same fields, in one piece and in two", () => {
  const request = (target: string, filler: number) =>
    `GET ${target} HTTP/1.1\r\nHost: x\r\nX-Filler: ${"y".repeat(filler)}\r\n\r\n`;
  for (const filler of [7000, 60_000]) {
    const first = request("/a", filler);
    const text = first + request(`/${"b".repeat(90_000 - filler)}`, filler);
    for (const second of [[], [text.length - 10], [MAX_HEAD_BYTES]])
      expect(differenceInReadings(text, [first.length, ...second])).toBeUndefined();
  }
});
