import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Day, dayOf, dayOfDate, daysBefore, parseDay } from "./day.ts";

test("a day is eight ASCII digits that stand in the calendar", () => {
  for (const text of ["20240229", "20231231", "00010101", "99991231"])
    expect<string | undefined>(parseDay(text)).toBe(text);
  for (const text of [
    "20230229",
    "20231301",
    "20230431",
    "20230100",
    "2023-01-01",
    "202301",
    "00000101",
    "２０２３０１０１",
    " 20230101",
    "",
  ]) {
    expect([text, parseDay(text)]).toEqual([text, undefined]);
  }
});

test("every day of the calendar is a day, and no other eight digits are", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9999 }), fc.nat(99), fc.nat(99), (year, month, day) => {
      const text =
        String(year).padStart(4, "0") + String(month).padStart(2, "0") + String(day).padStart(2, "0");
      const time = new Date(`${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}T00:00:00Z`);
      const real = year > 0 && !Number.isNaN(time.getTime()) && dayOf(time) === text;
      expect(parseDay(text) !== undefined).toBe(real);
    }),
  );
});

test("going back in days and counting them agree", () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date("1000-01-01"), max: new Date("9000-01-01"), noInvalidDate: true }),
      fc.nat(5000),
      (time, count) => {
        expect(daysBefore(dayOf(time), count)).toBe(dayOf(new Date(time.getTime() - count * 86_400_000)));
      },
    ),
  );
});

describe("the day of an ONIX date", () => {
  const cases: [string, string | undefined][] = [
    ["20260131", "20260131"],
    ["202601", "20260101"],
    ["2026", "20260101"],
    ["2026-01-31", "20260131"],
    ["2026-01", "20260101"],
    ["20260131T1430", "20260131"],
    ["20260131T143000Z", "20260131"],
    ["20260131T1430+0100", "20260131"],
    ["2026-01-31T14:30:00+01:00", "20260131"],
    ["202601311430", "20260131"],
    ["2026013120260228", "20260131"],
    [" 20260131 ", "20260131"],
    ["20260231", undefined],
    ["spring 2026", undefined],
    ["31/01/2026", undefined],
    ["", undefined],
  ];
  for (const [text, day] of cases) {
    test(`"${text}" is ${day ?? "none"}`, () => expect<Day | undefined>(dayOfDate(text)).toBe(day as Day));
  }
});
