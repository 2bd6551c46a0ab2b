import { expect, test } from "bun:test";
import { HEARTBEAT_INTERVAL_MS, Heartbeat } from "./heartbeat.ts";

/** A heartbeat whose clock is moved by each check. */
function start() {
  let nowMs = 0;
  const calls = { pings: 0, hung: [] as number[] };
  const heartbeat = new Heartbeat(
    { ping: () => void calls.pings++, onHung: (silentChecks) => void calls.hung.push(silentChecks) },
    nowMs,
  );
  return {
    heartbeat,
    calls,
    check(times: number, intervalMs = HEARTBEAT_INTERVAL_MS) {
      for (let time = 0; time < times; time++) {
        nowMs += intervalMs;
        heartbeat.check(nowMs);
      }
    },
  };
}

test("a worker that responds to every ping is never hung", () => {
  const { heartbeat, calls, check } = start();
  heartbeat.listen();
  for (let second = 0; second < 100; second++) {
    heartbeat.respond();
    check(1);
    expect(heartbeat.notServingSeconds).toBe(0);
  }
  expect(calls).toEqual({ pings: 100, hung: [] });
});

test("a worker without a response is hung after 10 checks, once", () => {
  const { heartbeat, calls, check } = start();
  heartbeat.listen();
  check(9);
  expect([heartbeat.notServingSeconds, calls.hung]).toEqual([9, []]);
  check(20);
  expect(calls.hung).toEqual([10]);
});

test("one response ends the count", () => {
  const { heartbeat, calls, check } = start();
  heartbeat.listen();
  check(9);
  expect(heartbeat.notServingSeconds).toBe(9);
  heartbeat.respond();
  expect(heartbeat.notServingSeconds).toBe(0);
  check(10);
  expect(calls.hung).toEqual([]);
});

test("checks that are late do not count: the machine was busy or paused", () => {
  const { heartbeat, calls, check } = start();
  heartbeat.listen();
  check(100, 2 * HEARTBEAT_INTERVAL_MS);
  check(1, 3_600_000);
  expect([heartbeat.notServingSeconds, calls.hung]).toEqual([0, []]);
});

test("a worker that starts has a minute without a response, the first one and a replacement", () => {
  const { heartbeat, calls, check } = start();
  for (const hung of [[60], [60, 60]]) {
    check(59);
    expect(calls.hung).toHaveLength(hung.length - 1);
    check(1);
    expect(calls.hung).toEqual(hung);
    heartbeat.restart();
  }
});

test("a replacement that responds does not serve until it listens", () => {
  const { heartbeat, calls, check } = start();
  heartbeat.listen();
  check(10);
  heartbeat.restart();
  for (let second = 0; second < 100; second++) {
    heartbeat.respond();
    check(1);
  }
  expect(heartbeat.notServingSeconds).toBe(110);
  heartbeat.listen();
  expect(heartbeat.notServingSeconds).toBe(0);
  expect(calls.hung).toEqual([10]);
});
