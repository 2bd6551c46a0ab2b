import { expect, test } from "bun:test";
import fc from "fast-check";
import { dayOf, dayOfDate, daysBefore, parseDay } from "./day.ts";

const time = fc.date({
  min: new Date("0001-01-01T00:00:00Z"),
  max: new Date("9999-12-31T00:00:00Z"),
  noInvalidDate: true,
});

test("every way to write a day is that day", () => {
  fc.assert(
    fc.property(time, time, (date, other) => {
      const day = dayOf(date);
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
        `${day}${dayOf(other)}`,
      ]) {
        expect<[string, string | undefined]>([text, dayOfDate(text)]).toEqual([text, day]);
      }
      expect<string | undefined>(dayOfDate(year + month)).toBe(`${year}${month}01`);
      expect<string | undefined>(dayOfDate(`${year}-${month}`)).toBe(`${year}${month}01`);
      expect<string | undefined>(dayOfDate(year)).toBe(`${year}0101`);
    }),
  );
});

test("whatever it is given, it gives a real day or nothing", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.stringMatching(/^[0-9TZ:+ -]{0,24}$/),
    fc.stringMatching(/^[0-9]{4,16}$/),
  );
  fc.assert(
    fc.property(text, (given) => {
      const day = dayOfDate(given);
      if (day !== undefined) expect(parseDay(day)).toBe(day);
      const exact = parseDay(given);
      if (exact !== undefined) expect([exact, dayOfDate(given)]).toEqual([given as typeof exact, exact]);
    }),
    { numRuns: 3000 },
  );
});

test("days sort as text, and going back is never forward", () => {
  fc.assert(
    fc.property(time, time, (one, other) => {
      expect(dayOf(one) < dayOf(other)).toBe(
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
        const day = dayOf(date);
        expect(daysBefore(daysBefore(day, a), b)).toBe(daysBefore(day, a + b));
        expect(daysBefore(day, a) <= day).toBe(true);
      },
    ),
  );
});
