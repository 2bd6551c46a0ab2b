import { expect, test } from "bun:test";
import { HEARTBEAT_INTERVAL_MS, Heartbeat, type HeartbeatEvents } from "./heartbeat.ts";

/** A heartbeat whose clock is moved by each check. */
function start(events: Partial<HeartbeatEvents> = {}) {
  let nowMs = 0;
  const calls = { pings: 0, hung: [] as number[] };
  const heartbeat = new Heartbeat(
    {
      ping: () => void calls.pings++,
      onHung: (silentChecks) => void calls.hung.push(silentChecks),
      ...events,
    },
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
  heartbeat.ready();
  for (let second = 0; second < 100; second++) {
    heartbeat.respond();
    check(1);
    expect(heartbeat.notServingSeconds).toBe(0);
  }
  expect(calls).toEqual({ pings: 100, hung: [] });
});

test("a worker without a response is hung after 10 checks, once", () => {
  const { heartbeat, calls, check } = start();
  heartbeat.ready();
  check(9);
  expect([heartbeat.notServingSeconds, calls.hung]).toEqual([9, []]);
  check(20);
  expect(calls.hung).toEqual([10]);
});

test("one response ends the count", () => {
  const { heartbeat, calls, check } = start();
  heartbeat.ready();
  check(9);
  expect(heartbeat.notServingSeconds).toBe(9);
  heartbeat.respond();
  expect(heartbeat.notServingSeconds).toBe(0);
  check(10);
  expect(calls.hung).toEqual([]);
});

test("checks that are late do not count: the machine was busy or paused", () => {
  const { heartbeat, calls, check } = start();
  heartbeat.ready();
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

test("a replacement that responds does not serve until it is ready", () => {
  const { heartbeat, calls, check } = start();
  heartbeat.ready();
  check(10);
  heartbeat.restart();
  for (let second = 0; second < 100; second++) {
    heartbeat.respond();
    check(1);
  }
  expect(heartbeat.notServingSeconds).toBe(110);
  heartbeat.ready();
  expect(heartbeat.notServingSeconds).toBe(0);
  expect(calls.hung).toEqual([10]);
});

test("a silent process is reported once, and once more when it responds", () => {
  const reports: string[] = [];
  const { heartbeat, check } = start({
    onSilent: (seconds) => void reports.push(`silent for ${seconds} s`),
    onHeard: () => void reports.push("heard"),
  });
  check(20);
  heartbeat.respond();
  heartbeat.ready();
  check(5);
  expect(reports).toEqual([]);
  check(3);
  heartbeat.respond();
  heartbeat.respond();
  expect(reports).toEqual(["silent for 5 s", "heard"]);
});

test("a silent process that works is hung after half an hour, and 10 checks after its work has ended", () => {
  let isWorking = true;
  const { heartbeat, calls, check } = start({ isWorking: () => isWorking });
  heartbeat.ready();
  check(1799);
  expect(calls.hung).toEqual([]);
  check(1);
  expect(calls.hung).toEqual([1800]);
  heartbeat.restart();
  heartbeat.ready();
  check(600);
  isWorking = false;
  check(9);
  expect(calls.hung).toHaveLength(1);
  check(5);
  expect(calls.hung).toEqual([1800, 610]);
});
