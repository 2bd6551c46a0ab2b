import { describe, expect, test } from "bun:test";
import {
  amountText,
  countText,
  durationText,
  extentText,
  measureText,
  numberText,
  sizeText,
} from "./quantities.ts";

/** The spaces that do not break, as plain spaces. */
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");

describe("amountText", () => {
  test.each([
    ["12.95", "EUR", "€12.95", "12,95 €"],
    ["12.5", "EUR", "€12.50", "12,50 €"],
    ["12", "USD", "US$12.00", "12,00 US$"],
    ["12.955", "GBP", "£12.955", "12,955 GBP"],
    ["1500", "JPY", "JP¥1,500", "1.500 JPY"],
    ["999999999999999.99", "EUR", "€999,999,999,999,999.99", "999.999.999.999.999,99 €"],
  ])("writes %s %s in English and Spanish", (amount, currency, eng, spa) => {
    expect(plain(amountText(amount, currency, "eng"))).toBe(eng);
    expect(plain(amountText(amount, currency, "spa"))).toBe(spa);
  });

  test.each([
    ["free", "EUR", "free EUR"],
    ["12,95", "EUR", "12,95 EUR"],
    ["NaN", "EUR", "NaN EUR"],
    ["12.95", "EURO", "12.95 EURO"],
    ["-1", "EUR", "-1 EUR"],
    ["12,95", "", "12,95"],
  ])("returns %s %s, which is no amount, as it is", (amount, currency, text) =>
    expect(amountText(amount, currency, "eng")).toBe(text),
  );
});

test.each([
  ["eng", "en-GB"],
  ["spa", "es-ES"],
] as const)("writes numbers and amounts as Intl does (%s)", (language, locale) => {
  for (const number of ["0", "007", "999", "1000", "0.5", "12.50", "1234567.891", "999999999999999.99"]) {
    const numbers = new Intl.NumberFormat(locale, { useGrouping: "always", maximumFractionDigits: 10 });
    expect(numberText(number, language)).toBe(numbers.format(number as `${number}`));
    for (const currency of ["EUR", "USD", "GBP"]) {
      const options = { style: "currency", currency, useGrouping: "always" } as const;
      const amounts = new Intl.NumberFormat(locale, { ...options, maximumFractionDigits: 10 });
      expect(amountText(number, currency, language)).toBe(amounts.format(number as `${number}`));
    }
  }
});

test("writes numbers with all of their decimals", () => {
  expect([numberText("1234.50", "spa"), numberText("xii", "eng")]).toEqual(["1.234,5", "xii"]);
});

test("groups counts of four digits as longer ones", () => {
  expect([7013, 13_333].map((count) => countText(count, "eng"))).toEqual(["7,013", "13,333"]);
  expect([7013, 13_333].map((count) => countText(count, "spa"))).toEqual(["7.013", "13.333"]);
  expect(countText(Number.NaN, "eng")).toBe("–");
});

test("writes how long something took", () => {
  expect([0.85, 3.04, 75, 7260].map((seconds) => plain(durationText(seconds, "eng")))).toEqual([
    "850 ms",
    "3 secs",
    "1 min 15 secs",
    "2 hrs 1 min",
  ]);
});

test("writes measures with the sign of their unit", () => {
  expect(plain(measureText("23.5", "cm", "Centimetros", "spa"))).toBe("23,5 cm");
  expect(plain(measureText("460", "gr", "Grams", "eng"))).toBe("460 g");
  expect(plain(measureText("800", "px", "Pixels", "eng"))).toBe("800 Pixels");
  expect(plain(measureText("big", "mm", "Millimeters", "eng"))).toBe("big Millimeters");
});

test("writes extents with their unit, and times as hours and minutes", () => {
  expect(extentText("320", "03", "Pages", "eng")).toBe("320 pages");
  expect(plain(extentText("1.5", "04", "Horas (número entero y decimales)", "spa"))).toBe("1 h 30 min");
  expect(plain(extentText("01205", "15", "Hours and minutes HHHMM", "eng"))).toBe("12 hrs 5 mins");
  expect(plain(extentText("0120530", "16", "…", "spa"))).toBe("12 h 5 min 30 s");
  expect(plain(extentText("612.48", "05", "Minutes", "eng"))).toBe("10 hrs 12 mins");
  expect(plain(extentText("59.5", "05", "Minutos", "spa"))).toBe("59 min 30 s");
  expect(extentText("long", "05", "Minutes", "eng")).toBe("long minutes");
  expect(plain(extentText("2.11", "19", "Mbytes", "eng"))).toBe("2.11 MB");
});

test("writes sizes of files in few digits", () => {
  expect([999, 1234, 45_678, 2_500_000].map((bytes) => plain(sizeText(bytes, "eng")))).toEqual([
    "999 byte",
    "1.2 kB",
    "46 kB",
    "2.5 MB",
  ]);
});
