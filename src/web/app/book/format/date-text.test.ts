import { describe, expect, test } from "bun:test";
import { dateText, machineDate } from "./date-text.ts";

describe("dateText", () => {
  test.each([
    ["20240115", "00", "15 January 2024", "15 de enero de 2024"],
    ["202401", "01", "January 2024", "enero de 2024"],
    ["2024", "05", "2024", "2024"],
    ["202412", "02", "week 12, 2024", "semana 12, 2024"],
    ["20243", "03", "3rd quarter of 2024", "3.º trimestre de 2024"],
    ["20241", "04", "spring 2024", "primavera 2024"],
    [
      "2024011520240229",
      "06",
      "15 January 2024 – 29 February 2024",
      "15 de enero de 2024 – 29 de febrero de 2024",
    ],
    ["202401202406", "07", "January 2024 – June 2024", "enero de 2024 – junio de 2024"],
    ["20202024", "11", "2020 – 2024", "2020 – 2024"],
    ["20240115T1030", "13", "15 January 2024, 10:30", "15 de enero de 2024, 10:30"],
    ["2024-01-15", "", "15 January 2024", "15 de enero de 2024"],
    ["14450101", "20", "14450101 (Hijri calendar)", "14450101 (calendario de la hégira)"],
  ])("writes %s of format %s in English and Spanish", (text, format, eng, spa) => {
    expect([dateText(text, format, "eng"), dateText(text, format, "spa")]).toEqual([eng, spa]);
  });

  test.each([
    ["20240115", "01", "15 January 2024"],
    ["2024", "00", "2024"],
    ["20201202", "11", "2 December 2020"],
    ["202401", "05", "January 2024"],
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
