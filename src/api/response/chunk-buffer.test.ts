import { expect, test } from "bun:test";
import { ChunkBuffer } from "./chunk-buffer.ts";

test("two lists use the same memory, one after the other", () => {
  const [first, second] = [new ChunkBuffer(), new ChunkBuffer()];
  const { buffer } = first.ofSize(1000);
  first.release();
  expect(second.ofSize(2000).buffer).toBe(buffer);
  second.release();
});

test("two lists that have chunks at the same time use different memory", () => {
  const [first, second] = [new ChunkBuffer(), new ChunkBuffer()];
  expect(first.ofSize(1000).buffer).not.toBe(second.ofSize(1000).buffer);
  first.release();
  second.release();
});

test("returns an array of the size that is requested, and frees one that is too large for others", () => {
  const chunks = new ChunkBuffer();
  expect(chunks.ofSize(10)).toHaveLength(10);
  const large = chunks.ofSize(1_000_000);
  expect(large).toHaveLength(1_000_000);
  chunks.release();
  expect(large).toHaveLength(0);
});
