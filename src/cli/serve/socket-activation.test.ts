import { expect, test } from "bun:test";
import { inheritedSocket } from "./socket-activation.ts";

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
