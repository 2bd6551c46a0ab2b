import { expect, test } from "bun:test";
import { type BodyReader, BufferedBody, type ChunkReceiver, StreamBody } from "./body.ts";

const PARTS = 5;

function streamOf(parts: number) {
  return { next: () => (parts-- > 0 ? new Uint8Array(1000) : undefined), close() {} };
}

test.each<[string, (receiver: ChunkReceiver) => BodyReader]>([
  ["a cached list", (receiver) => new BufferedBody(Array(PARTS).fill(new Uint8Array(1000)), receiver)],
  ["a stream", (receiver) => new StreamBody(streamOf(PARTS), false, () => {}, receiver)],
])("%s leaves the tick to others after its first part, however fast its client reads", async (_, bodyFor) => {
  let parts = 0;
  const ended = Promise.withResolvers<void>();
  const body = bodyFor({
    client: "",
    receive(body, chunk) {
      if (chunk === undefined) return ended.resolve();
      parts++;
      body.next();
    },
    fail: () => ended.reject(new Error("The body ended early")),
  });
  body.next();
  expect(parts).toBe(1);
  await ended.promise;
  expect(parts).toBe(PARTS);
});

test("a stream that has made nothing yet leaves the tick to others before it goes on", async () => {
  let reads = 0;
  const next = () => (++reads < PARTS ? new Uint8Array(0) : undefined);
  const ended = Promise.withResolvers<void>();
  const receiver: ChunkReceiver = {
    client: "",
    receive(_, chunk) {
      expect(chunk).toBeUndefined();
      ended.resolve();
    },
    fail: () => ended.reject(new Error("The body ended early")),
  };
  new StreamBody({ next, close() {} }, false, () => {}, receiver).next();
  expect(reads).toBe(1);
  await ended.promise;
  expect(reads).toBe(PARTS);
});
