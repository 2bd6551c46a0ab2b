/** Any path or query gives a value, or an error that says what to change, and never an exception. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { utcDay } from "../onix/date.ts";
import { ApiError } from "./errors.ts";
import {
  MAX_ISBNS,
  parseDate,
  parseFormat,
  parseImprint,
  parseIsbnList,
  parseIsbnParameter,
  parseLanguage,
  parseView,
} from "./parameters.ts";

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "binary" }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc
    .array(
      fc.constantFrom(
        "%",
        "%2",
        "%zz",
        "%ff",
        "%c0%ae",
        "&",
        "=",
        "+",
        ",",
        "date",
        "language",
        "20240101",
        "eng",
        "view",
        "summary",
      ),
      {
        maxLength: 8,
      },
    )
    .map((parts) => parts.join("")),
);

test("any text gives a value, or a 400 with a short sentence", () => {
  const parsers = [
    parseIsbnParameter,
    parseIsbnList,
    parseImprint,
    parseLanguage,
    parseDate,
    parseView,
    parseFormat,
  ];
  fc.assert(
    fc.property(anyText, fc.constantFrom(...parsers), (text, parse) => {
      const value = parse(text);
      if (!(value instanceof ApiError)) return;
      expect(value.status).toBe(400);
      expect(value.kind).toBe(parse === parseDate ? "invalidDate" : "badRequest");
      expect(value.detail).toEndWith(".");
      expect(value.detail.length).toBeLessThan(300);
    }),
    { numRuns: 3000 },
  );
});

/** Percent-encodes the characters that `encoded` selects. */
function encodeSome(text: string, encoded: readonly boolean[]): string {
  return [...text]
    .map((character, index) =>
      encoded[index % encoded.length]
        ? `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`
        : character,
    )
    .join("");
}

const flags = fc.array(fc.boolean(), { minLength: 1, maxLength: 7 });
const isbn = fc.stringMatching(/^97[89][0-9]{10}$/);

test("parseIsbnList returns the ISBNs in their order, with repetitions, however they are encoded", () => {
  fc.assert(
    fc.property(fc.array(isbn, { minLength: 1, maxLength: 30 }), flags, (list, encoded) => {
      expect<unknown>(parseIsbnList(encodeSome(list.join(","), encoded))).toEqual(list);
    }),
  );
});

test("parseIsbnList rejects a list with an invalid item, and names its position", () => {
  fc.assert(
    fc.property(
      fc.array(isbn, { maxLength: 20 }),
      fc.array(isbn, { maxLength: 5 }),
      fc.constantFrom("", "x", "12"),
      (before, after, invalid) => {
        fc.pre(before.length + after.length > 0 || invalid !== "");
        const error = parseIsbnList([...before, invalid, ...after].join(","));
        expect(error).toBeInstanceOf(ApiError);
        expect((error as ApiError).detail).toStartWith(`Item ${before.length + 1} of the list`);
      },
    ),
  );
});

test("parseIsbnList accepts MAX_ISBNS items, and no more", () => {
  const list = Array(MAX_ISBNS).fill("9788437604947");
  expect(parseIsbnList(list.join(","))).toHaveLength(MAX_ISBNS);
  expect(parseIsbnList([...list, list[0]].join(","))).toBeInstanceOf(ApiError);
});

test("parseDate finds one date among other parameters and decodes it once", () => {
  const other = fc.constantFrom("a=1", "date2=x", "Date=20200101", "da=te", "", "language=eng", "%64=1");
  const day = fc
    .date({ min: new Date("1000-01-01"), max: new Date("9000-01-01"), noInvalidDate: true })
    .map((date) => utcDay(date));
  fc.assert(
    fc.property(
      day,
      fc.array(other, { maxLength: 3 }),
      fc.array(other, { maxLength: 3 }),
      flags,
      (date, before, after, encoded) => {
        const parameter = `${encodeSome("date", encoded)}=${encodeSome(date, encoded)}`;
        expect(parseDate([...before, parameter, ...after].join("&"))).toBe(date);
        expect(parseDate([...before, ...after].join("&"))).toBeUndefined();
        expect(parseDate([parameter, ...before, parameter].join("&"))).toBeInstanceOf(ApiError);
        // Decoded twice, this would be a date.
        expect(parseDate(`date=${encodeURIComponent(encodeSome(date, [true]))}`)).toBeInstanceOf(ApiError);
      },
    ),
  );
});

test("parseLanguage accepts three ASCII letters in any case, and nothing else", () => {
  fc.assert(
    fc.property(fc.constantFrom("spa", "eng", "cat", "glg"), flags, (code, upper) => {
      const mixed = [...code]
        .map((letter, index) => (upper[index % upper.length] ? letter.toUpperCase() : letter))
        .join("");
      expect(parseLanguage(`language=${mixed}`)).toBe(code);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      fc.pre(text.isWellFormed() && !/^[A-Za-z]{3}$/.test(text));
      expect(parseLanguage(`language=${encodeURIComponent(text)}`)).toBeInstanceOf(ApiError);
    }),
  );
});
