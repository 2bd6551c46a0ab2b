import { expect, test } from "bun:test";
import fc from "fast-check";
import { hasRightCheckDigit, isBookland, parseIsbn, toIsbn10 } from "./isbn.ts";

const thirteen = fc.stringMatching(/^[0-9]{13}$/);
const separators = fc.array(fc.constantFrom("", "-", " ", "\u00A0", "\u2010", "\u2011"), {
  minLength: 14,
  maxLength: 14,
});

test("hyphens and blanks may stand anywhere, and change nothing", () => {
  fc.assert(
    fc.property(thirteen, separators, (digits, between) => {
      const printed = between.map((separator, at) => separator + (digits[at] ?? "")).join("");
      expect<string | undefined>(parseIsbn(printed)).toBe(digits);
    }),
  );
});

test("whatever it is given, it gives thirteen ASCII digits or nothing, and its own answer again", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[0-9Xx -]{8,20}$/)), (text) => {
      const isbn = parseIsbn(text);
      if (isbn === undefined) return;
      expect(isbn).toMatch(/^[0-9]{13}$/);
      expect(parseIsbn(isbn)).toBe(isbn);
      const digits = text.replace(/[^0-9Xx]/g, "");
      expect([10, 13]).toContain(digits.length);
    }),
    { numRuns: 2000 },
  );
});

test("any other character makes it none", () => {
  fc.assert(
    fc.property(
      thirteen,
      fc.nat(13),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
      (digits, at, put) => {
        fc.pre(!/^[ \u00A0\u2010\u2011-]+$/.test(put));
        expect(parseIsbn(digits.slice(0, at) + put + digits.slice(at))).toBeUndefined();
      },
    ),
    { numRuns: 1000 },
  );
});

test("an ISBN-10 is there exactly for 978, and leads back where the check digit is right", () => {
  fc.assert(
    fc.property(thirteen, fc.constantFrom("978", "979", ""), (digits, prefix) => {
      const isbn = parseIsbn(prefix + digits.slice(prefix.length))!;
      const ten = toIsbn10(isbn);
      expect(ten !== undefined).toBe(isbn.startsWith("978"));
      if (ten !== undefined) expect(parseIsbn(ten) === isbn).toBe(hasRightCheckDigit(isbn));
      expect(isBookland(isbn)).toBe(/^978|^979[1-9]/.test(isbn));
    }),
  );
});
