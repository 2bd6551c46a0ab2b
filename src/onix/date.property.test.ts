import { expect, test } from "bun:test";
import fc from "fast-check";
import { firstDayOfDate, parseDay, subtractDays, utcDay } from "./date.ts";

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

test("days sort as text, and subtractDays is additive", () => {
  fc.assert(
    fc.property(time, time, (one, other) => {
      expect(utcDay(one) < utcDay(other)).toBe(
        Math.floor(one.getTime() / 86_400_000) < Math.floor(other.getTime() / 86_400_000),
      );
    }),
  );
  fc.assert(
    fc.property(
      fc.date({ min: new Date("1000-01-01"), max: new Date("9000-01-01"), noInvalidDate: true }),
      fc.nat(400),
      fc.nat(400),
      (date, a, b) => {
        const day = utcDay(date);
        expect(subtractDays(subtractDays(day, a), b)).toBe(subtractDays(day, a + b));
        expect(subtractDays(day, a) <= day).toBe(true);
      },
    ),
  );
});
