import { describe, expect, test } from "bun:test";
import { describeMessage, isOlderMessage, nextMark, withoutFuture } from "./message-order.ts";

const mark = (sent?: string, messageNumber?: string) => ({ sent, messageNumber });

describe("isOlderMessage", () => {
  const older: [string, string][] = [
    ["20240101", "20240102"],
    ["20240101T2359", "20240102"],
    ["20240101T0900", "20240101T0901"],
    ["20240101T090000", "20240101T090001"],
    ["20240101T0900Z", "20240101T0901Z"],
    ["20240101T1000+0200", "20240101T0900Z"],
    ["20240101T0900Z", "20240101T0900-0100"],
    ["20240101T0900+01", "20240101T0901+0100"],
    ["2024-01-01T09:00:00Z", "20240101T1000Z"],
    ["20240101T0900", "20240103T0000Z"],
    ["20231231", "20240102T0100Z"],
  ];
  for (const [sent, other] of older) {
    test(`returns true for ${sent} before ${other}, and false the other way round`, () => {
      expect(isOlderMessage(mark(sent), mark(other))).toBe(true);
      expect(isOlderMessage(mark(other), mark(sent))).toBe(false);
    });
  }

  const undecided: [string | undefined, string | undefined][] = [
    ["20240101", "20240101"],
    ["20240101", "20240101T1200"],
    ["20240101T1000+0100", "20240101T0900Z"],
    ["20240101T0900", "20240101T2000Z"],
    ["2024-01-01", "20240101"],
    [undefined, "20240101"],
    ["next spring", "20240101"],
    ["20240231", "20240101"],
    [undefined, undefined],
  ];
  for (const [sent, other] of undecided) {
    test(`returns false for ${sent} and ${other} in both orders, and lets the number decide`, () => {
      expect(isOlderMessage(mark(sent), mark(other))).toBe(false);
      expect(isOlderMessage(mark(other), mark(sent))).toBe(false);
      expect(isOlderMessage(mark(sent, "9"), mark(other, "10"))).toBe(true);
      expect(isOlderMessage(mark(other, "10"), mark(sent, "9"))).toBe(false);
    });
  }

  test("returns false for a newer time with a lower number", () => {
    expect(isOlderMessage(mark("20240102", "1"), mark("20240101", "900"))).toBe(false);
    expect(isOlderMessage(mark("20240101", "900"), mark("20240102", "1"))).toBe(true);
  });

  test("returns false for equal, missing and non-numeric numbers", () => {
    expect(isOlderMessage(mark("20240101", "007"), mark("20240101", "7"))).toBe(false);
    expect(isOlderMessage(mark("20240101"), mark("20240101", "7"))).toBe(false);
    expect(isOlderMessage(mark("20240101", "a1"), mark("20240101", "b2"))).toBe(false);
  });
});

describe("nextMark", () => {
  test("returns the newer message", () => {
    expect(nextMark(mark("20240101", "1"), undefined)).toEqual(mark("20240101", "1"));
    expect(nextMark(mark("20240102"), mark("20240101", "900"))).toEqual(mark("20240102"));
  });

  test("keeps what a message without a newer time does not say", () => {
    expect(nextMark(mark(undefined, "8"), mark("20240101", "7"))).toEqual(mark("20240101", "8"));
    expect(nextMark(mark("20240101"), mark("20240101", "7"))).toEqual(mark("20240101", "7"));
  });

  test("keeps the last time and number when those of the message cannot be read or say less", () => {
    expect(nextMark(mark("yesterday", "eight"), mark("20240101", "7"))).toEqual(mark("20240101", "7"));
    expect(nextMark(mark("20240101"), mark("20240101T1200"))).toEqual(mark("20240101T1200"));
    expect(nextMark(mark("20240101T1200"), mark("20240101"))).toEqual(mark("20240101T1200"));
    expect(nextMark(mark("20240101"), mark("yesterday"))).toEqual(mark("20240101"));
  });
});

test("withoutFuture drops a time more than a day ahead", () => {
  const now = Date.UTC(2026, 10, 16);
  expect(withoutFuture(mark("20990101", "7"), now)).toEqual(mark(undefined, "7"));
  expect(withoutFuture(mark("20261117"), now)).toEqual(mark("20261117"));
  expect(withoutFuture(mark("next spring"), now)).toEqual(mark("next spring"));
});

test("describeMessage names number and time", () => {
  expect(describeMessage(mark("20240101", "7"))).toBe("number 7 of 20240101");
  expect(describeMessage(mark("20240101"))).toBe("of 20240101");
  expect(describeMessage(mark(undefined, "7"))).toBe("number 7");
});
