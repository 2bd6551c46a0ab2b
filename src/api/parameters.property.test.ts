/** Whatever stands in a path or a query: a value, or an error that says what to change; never a throw. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { utcDay } from "../onix/date.ts";
import { ApiError } from "./errors.ts";
import {
  MAX_ISBNS,
  parseDate,
  parseImprint,
  parseIsbnList,
  parseIsbnParameter,
  parseLanguage,
} from "./parameters.ts";

const anything = fc.oneof(
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
      ),
      {
        maxLength: 8,
      },
    )
    .map((parts) => parts.join("")),
);

test("no text makes a parameter throw, and every refusal is a 400 with one sentence", () => {
  const parameters = [parseIsbnParameter, parseIsbnList, parseImprint, parseLanguage, parseDate];
  fc.assert(
    fc.property(anything, fc.constantFrom(...parameters), (text, parameter) => {
      const value = parameter(text);
      if (!(value instanceof ApiError)) return;
      expect(value.status).toBe(400);
      expect(value.kind).toBe(parameter === parseDate ? "invalidDate" : "badRequest");
      expect(value.detail).toEndWith(".");
      expect(value.detail.length).toBeLessThan(300);
    }),
    { numRuns: 3000 },
  );
});

/** Some characters as %XX, as one client or the other does it. */
function spelled(text: string, encoded: readonly boolean[]): string {
  return [...text]
    .map((character, at) =>
      encoded[at % encoded.length] ? `%${character.charCodeAt(0).toString(16).padStart(2, "0")}` : character,
    )
    .join("");
}

const flags = fc.array(fc.boolean(), { minLength: 1, maxLength: 7 });
const isbn = fc.stringMatching(/^97[89][0-9]{10}$/);

test("a list of ISBNs comes in its order, repeated where repeated, however it is encoded", () => {
  fc.assert(
    fc.property(fc.array(isbn, { minLength: 1, maxLength: 30 }), flags, (list, encoded) => {
      expect<unknown>(parseIsbnList(spelled(list.join(","), encoded))).toEqual(list);
    }),
  );
});

test("one item that is none refuses the list, and is named by its place", () => {
  fc.assert(
    fc.property(
      fc.array(isbn, { maxLength: 20 }),
      fc.array(isbn, { maxLength: 5 }),
      fc.constantFrom("", "x", "12"),
      (before, after, wrong) => {
        fc.pre(before.length + after.length > 0 || wrong !== "");
        const refusal = parseIsbnList([...before, wrong, ...after].join(","));
        expect(refusal).toBeInstanceOf(ApiError);
        expect((refusal as ApiError).detail).toStartWith(`Item ${before.length + 1} of the list`);
      },
    ),
  );
});

test("the most ISBNs are taken, and one more is not", () => {
  const list = Array(MAX_ISBNS).fill("9788437604947");
  expect(parseIsbnList(list.join(","))).toHaveLength(MAX_ISBNS);
  expect(parseIsbnList([...list, list[0]].join(","))).toBeInstanceOf(ApiError);
});

test("a date is found among other parameters, decoded once, and only alone", () => {
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
      (date, before, behind, encoded) => {
        const own = `${spelled("date", encoded)}=${spelled(date, encoded)}`;
        expect(parseDate([...before, own, ...behind].join("&"))).toBe(date);
        expect(parseDate([...before, ...behind].join("&"))).toBeUndefined();
        expect(parseDate([own, ...before, own].join("&"))).toBeInstanceOf(ApiError);
        // Decoded a second time this would be a date again.
        expect(parseDate(`date=${encodeURIComponent(spelled(date, [true]))}`)).toBeInstanceOf(ApiError);
      },
    ),
  );
});

test("a language is taken in any case, and nothing but three ASCII letters is one", () => {
  fc.assert(
    fc.property(fc.constantFrom("spa", "eng", "cat", "glg"), flags, (code, upper) => {
      const mixed = [...code]
        .map((letter, at) => (upper[at % upper.length] ? letter.toUpperCase() : letter))
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
