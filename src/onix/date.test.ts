import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Day, firstDayOfDate, lastDayOfDate, parseDay, subtractDays, utcDay } from "./date.ts";

test("parseDay accepts eight ASCII digits that are a calendar day, and nothing else", () => {
  for (const text of ["20240229", "20231231", "00010101", "99991231"])
    expect<string | undefined>(parseDay(text)).toBe(text);
  for (const text of ["2023-01-01", "202301", "00000101", "２０２３０１０１", " 20230101", ""]) {
    expect([text, parseDay(text)]).toEqual([text, undefined]);
  }
});

test("parseDay accepts exactly the days of the Gregorian calendar", () => {
  const digits = (value: number, length: number) => String(value).padStart(length, "0");
  for (const year of [0, 1, 1900, 2000, 2023, 2024, 9999]) {
    for (let month = 0; month <= 13; month++) {
      for (let day = 0; day <= 32; day++) {
        const text = digits(year, 4) + digits(month, 2) + digits(day, 2);
        const time = new Date(`${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}T00:00:00Z`);
        const isDay = year > 0 && !Number.isNaN(time.getTime()) && utcDay(time) === text;
        expect([text, parseDay(text) !== undefined]).toEqual([text, isDay]);
      }
    }
  }
});

test("subtractDays agrees with subtracting milliseconds", () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date("1000-01-01"), max: new Date("9000-01-01"), noInvalidDate: true }),
      fc.nat(5000),
      (time, count) => {
        expect(subtractDays(utcDay(time), count)).toBe(utcDay(new Date(time.getTime() - count * 86_400_000)));
      },
    ),
  );
});

describe("firstDayOfDate", () => {
  const cases: [string, string | undefined][] = [
    ["20260131T1430+0100", "20260131"],
    ["202601202603", "20260101"],
    ["202401202012", "20240120"],
    ["202401211005", "20240121"],
    ["20262027", "20260101"],
    ["20260231", undefined],
    ["99999999", undefined],
    ["99991231", "99991231"],
    ["spring 2026", undefined],
    ["31/01/2026", undefined],
    ["2026 01 31", undefined],
    ["2026 spring", undefined],
    ["202601 31", undefined],
    ["2026-01-31 14:30", "20260131"],
    ["202601-31", "20260131"],
    ["", undefined],
  ];
  for (const [text, day] of cases) {
    test(`returns ${day} for "${text}"`, () =>
      expect<Day | undefined>(firstDayOfDate(text)).toBe(day as Day));
  }

  const withFormat: [string, string, string | undefined][] = [
    ["202401", "02", "20240101"],
    ["202101", "02", "20210104"],
    ["202501", "02", "20241230"],
    ["202053", "02", "20201228"],
    ["202153", "02", undefined],
    ["202454", "02", undefined],
    ["202400", "02", undefined],
    ["20240115", "02", "20240115"],
    ["20241", "03", "20240101"],
    ["20244", "03", "20241001"],
    ["20245", "03", undefined],
    ["202404", "03", "20240401"],
    ["202404", "00", "20240401"],
    ["20240404", "05", "20240404"],
    ["202404202406", "07", "20240401"],
    ["202404202706", "07", "20240401"],
    ["202401202012", "07", "20240120"],
    ["20240404", "07", "20240404"],
    ["20241", "04", undefined],
    ["20112020", "11", "20110101"],
    ["20240404", "11", "20240404"],
    ["14450101", "20", undefined],
    ["144501", "21", undefined],
    ["1445", "25", undefined],
    ["57810101", "32", undefined],
    ["20240115", "99", "20240115"],
  ];
  for (const [text, format, day] of withFormat) {
    test(`returns ${day} for "${text}" of format ${format}`, () =>
      expect<Day | undefined>(firstDayOfDate(text, format)).toBe(day as Day));
  }
});

test.each([
  ["20240115", "", "20240115"],
  ["20240115T1200", "13", "20240115"],
  ["202402", "01", "20240229"],
  ["2023-02", "", "20230228"],
  ["2024", "05", "20241231"],
  ["202409", "02", "20240303"],
  ["202053", "02", "20210103"],
  ["202409", "00", "20240930"],
  ["20241", "03", "20240331"],
  ["20244", "03", "20241231"],
  ["2024010120240131", "06", "20240131"],
  ["2024010120241350", "06", undefined],
  ["202404202702", "07", "20270228"],
  ["202401202012", "07", "20240120"],
  ["202401202405", "08", "20240204"],
  ["2024120242", "09", "20240630"],
  ["20232024", "11", "20241231"],
  ["20240404", "11", "20240404"],
  ["14450101", "20", undefined],
  ["soon", "", undefined],
])("lastDayOfDate reads the end of %s with format %p as %p", (text, format, day) => {
  expect<string | undefined>(lastDayOfDate(text, format)).toBe(day);
});

const time = fc.date({
  min: new Date("0001-01-01T00:00:00Z"),
  max: new Date("9999-12-31T00:00:00Z"),
  noInvalidDate: true,
});

test("firstDayOfDate reads every notation of a day", () => {
  fc.assert(
    fc.property(time, time, (date, other) => {
      const day = utcDay(date);
      const [year, month, rest] = [day.slice(0, 4), day.slice(4, 6), day.slice(6)];
      const dashed = `${year}-${month}-${rest}`;
      for (const text of [
        day,
        dashed,
        ` ${day}\n`,
        `${day}T0915`,
        `${day}T091500Z`,
        `${dashed}T09:15:00+02:00`,
        `${day}0915`,
        `${day}091500`,
        `${day}${utcDay(other)}`,
      ]) {
        expect<[string, string | undefined]>([text, firstDayOfDate(text)]).toEqual([text, day]);
      }
      expect<string | undefined>(firstDayOfDate(year + month)).toBe(`${year}${month}01`);
      expect<string | undefined>(firstDayOfDate(`${year}-${month}`)).toBe(`${year}${month}01`);
      expect<string | undefined>(firstDayOfDate(year)).toBe(`${year}0101`);
    }),
  );
});

test("firstDayOfDate returns a calendar day or undefined for any text", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.stringMatching(/^[0-9TZ:+ -]{0,24}$/),
    fc.stringMatching(/^[0-9]{4,16}$/),
  );
  fc.assert(
    fc.property(text, (given) => {
      const day = firstDayOfDate(given);
      if (day !== undefined) expect(parseDay(day)).toBe(day);
      const exact = parseDay(given);
      if (exact !== undefined) expect([exact, firstDayOfDate(given)]).toEqual([given as typeof exact, exact]);
    }),
    { numRuns: 3000 },
  );
});

test("days sort as text", () => {
  fc.assert(
    fc.property(time, time, (one, other) => {
      expect(utcDay(one) < utcDay(other)).toBe(
        Math.floor(one.getTime() / 86_400_000) < Math.floor(other.getTime() / 86_400_000),
      );
    }),
  );
});
