import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dateText, machineDate, momentText, monthName } from "./dates.ts";

describe("dateText", () => {
  test.each([
    ["20240115", "00", "15 Jan 2024", "15 ene 2024"],
    ["202401", "01", "Jan 2024", "ene 2024"],
    ["2024", "05", "2024", "2024"],
    ["202412", "02", "week 12, 2024", "semana 12, 2024"],
    ["20243", "03", "3rd quarter of 2024", "3.º trimestre de 2024"],
    ["20241", "04", "spring 2024", "primavera 2024"],
    ["2024011520240229", "06", "15 Jan 2024 – 29 Feb 2024", "15 ene 2024 – 29 feb 2024"],
    ["202401202406", "07", "Jan 2024 – Jun 2024", "ene 2024 – jun 2024"],
    ["20202024", "11", "2020 – 2024", "2020 – 2024"],
    ["20240115T1030", "13", "15 Jan 2024, 10:30", "15 ene 2024, 10:30"],
    ["20160526T0000", "13", "26 May 2016", "26 may 2016"],
    ["20160526T000000Z", "14", "26 May 2016", "26 may 2016"],
    ["2024-01-15", "", "15 Jan 2024", "15 ene 2024"],
    ["14450101", "20", "14450101 (Hijri calendar)", "14450101 (calendario de la hégira)"],
  ])("writes %s of format %s in English and Spanish", (text, format, eng, spa) => {
    expect([dateText(text, format, "eng"), dateText(text, format, "spa")]).toEqual([eng, spa]);
  });

  test.each([
    ["20240115", "01", "15 Jan 2024"],
    ["2024", "00", "2024"],
    ["20201202", "11", "2 Dec 2020"],
    ["202401", "05", "Jan 2024"],
  ])("reads %s by its shape when its format %s is wrong", (text, format, expected) =>
    expect(dateText(text, format, "eng")).toBe(expected),
  );

  test.each(["soon", "20240230", "99999999999", "<b>2024</b>", ""])(
    "returns %p, which is no date, as it is",
    (text) => expect(dateText(text, "00", "eng")).toBe(text),
  );
});

test("returns the datetime attribute of days, months and years only", () => {
  expect(["20240115", "202401", "2024", "20240115T1030", "soon", "20240230"].map(machineDate)).toEqual([
    "2024-01-15",
    "2024-01",
    "2024",
    "2024-01-15",
    undefined,
    undefined,
  ]);
});

test("writes moments and months in the same style", () => {
  expect(["eng", "spa"].map((each) => momentText("2024-01-15T10:30:00", each as "eng"))).toEqual([
    "15 Jan 2024, 10:30",
    "15 ene 2024, 10:30",
  ]);
  expect([momentText("soon", "eng"), monthName(1, "eng"), monthName(12, "spa")]).toEqual([
    "soon",
    "Jan",
    "dic",
  ]);
});

const APP = join(import.meta.dir, "../..");

test("only this folder uses the formatters of Intl", () => {
  const files = [...new Bun.Glob("**/*.{ts,tsx}").scanSync({ cwd: APP })];
  const formatting = files.filter((file) =>
    /Intl\.\w+Format|toLocale(Date|Time)?String/.test(readFileSync(join(APP, file), "utf8")),
  );
  expect([...new Set(formatting.map((file) => file.slice(0, file.lastIndexOf("/"))))]).toEqual([
    "shared/format",
  ]);
});

test.each([
  ["eng", "en-GB"],
  ["spa", "es-ES"],
] as const)("writes days and months as Intl does (%s)", (language, locale) => {
  const options = { timeZone: "UTC", day: "numeric", month: "short", year: "numeric" } as const;
  for (let month = 0; month < 12; month++) {
    const date = new Date(Date.UTC(2024, month, 3));
    const text = date.toISOString().slice(0, 10);
    const { day: _, ...ofMonth } = options;
    expect(dateText(text, "", language)).toBe(new Intl.DateTimeFormat(locale, options).format(date));
    expect(dateText(text.slice(0, 7), "", language)).toBe(
      new Intl.DateTimeFormat(locale, ofMonth).format(date),
    );
  }
});
