import { expect, test } from "bun:test";
import { socketLimits } from "./listen.ts";
import { inheritedSocket } from "./settings.ts";

test("returns undefined without the variables of systemd", () => {
  expect(inheritedSocket({}, 100)).toBeUndefined();
});

test("ignores variables that are meant for another process", () => {
  expect(inheritedSocket({ LISTEN_FDS: "1", LISTEN_PID: "99" }, 100)).toBeUndefined();
});

test.each(["0", "2", "x"])("refuses LISTEN_FDS=%s and says what to write", (count) => {
  expect(() => inheritedSocket({ LISTEN_FDS: count, LISTEN_PID: "100" }, 100)).toThrow(
    `LISTEN_FDS is ${count}: Colophon takes one socket from systemd; write one ListenStream=`,
  );
});

test("socketLimits leaves descriptors for the store and the log, and never exceeds 10,000 connections", () => {
  expect(socketLimits(1_000_000)).toEqual({ maxConnections: 10_000, maxSockets: 999_900 });
  expect(socketLimits(1024)).toEqual({ maxConnections: 831, maxSockets: 924 });
  expect(socketLimits(64)).toEqual({ maxConnections: 28, maxSockets: 32 });
  expect(socketLimits(Number.POSITIVE_INFINITY).maxConnections).toBe(10_000);
});
