import { expect, test } from "bun:test";
import { allMonths, daysOf, secondsOf, yearsOf } from "./months.ts";

const month = (year: number, number: number, books = 0) => ({ year, month: number, books });

test("allMonths fills the months without books, in ascending order", () => {
  const values = [
    { value: "202602", books: 4 },
    { value: "202511", books: 1 },
  ];
  expect(allMonths(values)).toEqual([month(2025, 11, 1), month(2025, 12), month(2026, 1), month(2026, 2, 4)]);
  expect(allMonths([])).toEqual([]);
});

test("allMonths leaves out dates that stand for none", () => {
  const values = ["999912", "202601", "000101"].map((value, at) => ({ value, books: at === 1 ? 4 : 1 }));
  expect(allMonths(values)).toEqual([month(2026, 1, 4)]);
});

test("daysOf returns the first and the last day", () => {
  expect(daysOf(month(2026, 1))).toEqual({ from: "20260101", to: "20260131" });
  expect(daysOf(month(2026, 4))).toEqual({ from: "20260401", to: "20260430" });
  expect([2024, 2026, 1900, 2000].map((year) => daysOf(month(year, 2)).to?.slice(6))).toEqual([
    "29",
    "28",
    "28",
    "29",
  ]);
});

test("secondsOf returns the start of the month in UTC, also of early years", () => {
  expect(new Date(secondsOf(month(2026, 3)) * 1000).toISOString()).toBe("2026-03-01T00:00:00.000Z");
  expect(new Date(secondsOf(month(20, 1)) * 1000).toISOString()).toStartWith("0020-01-01");
});

test("yearsOf returns the latest year first, with twelve places", () => {
  const [latest, before] = yearsOf(
    allMonths([
      { value: "202602", books: 4 },
      { value: "202512", books: 1 },
    ]),
  );
  expect([latest!.year, latest!.months.length, latest!.months[1]?.books, latest!.months[2]]).toEqual([
    2026,
    12,
    4,
    undefined,
  ]);
  expect(before!.months[11]?.books).toBe(1);
});
