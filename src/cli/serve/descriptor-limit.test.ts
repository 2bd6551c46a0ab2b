import { expect, test } from "bun:test";
import { socketLimits } from "./descriptor-limit.ts";

test("socketLimits leaves descriptors for the store and the log, and never exceeds 10,000 connections", () => {
  expect(socketLimits(1_000_000)).toEqual({ maxConnections: 10_000, maxSockets: 999_900 });
  expect(socketLimits(1024)).toEqual({ maxConnections: 831, maxSockets: 924 });
  expect(socketLimits(64)).toEqual({ maxConnections: 28, maxSockets: 32 });
  expect(socketLimits(Number.POSITIVE_INFINITY).maxConnections).toBe(10_000);
});
