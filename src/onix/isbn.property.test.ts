import { expect, test } from "bun:test";
import fc from "fast-check";
import { hasValidCheckDigit, isBookIsbn, parseIsbn, toIsbn10 } from "./isbn.ts";

const thirteenDigits = fc.stringMatching(/^[0-9]{13}$/);
const separators = fc.array(fc.constantFrom("", "-", " ", "\u00A0", "\u2010", "\u2011"), {
  minLength: 14,
  maxLength: 14,
});

test("parseIsbn ignores hyphens and spaces anywhere", () => {
  fc.assert(
    fc.property(thirteenDigits, separators, (digits, between) => {
      const printed = between.map((separator, index) => separator + (digits[index] ?? "")).join("");
      expect<string | undefined>(parseIsbn(printed)).toBe(digits);
    }),
  );
});

test("parseIsbn returns thirteen ASCII digits or undefined, and is idempotent", () => {
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

test("parseIsbn rejects any other character", () => {
  fc.assert(
    fc.property(
      thirteenDigits,
      fc.nat(13),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
      (digits, index, inserted) => {
        fc.pre(!/^[ \u00A0\u2010\u2011-]+$/.test(inserted));
        expect(parseIsbn(digits.slice(0, index) + inserted + digits.slice(index))).toBeUndefined();
      },
    ),
    { numRuns: 1000 },
  );
});

test("toIsbn10 returns an ISBN-10 only for 978, which parses back when the check digit is valid", () => {
  fc.assert(
    fc.property(thirteenDigits, fc.constantFrom("978", "979", ""), (digits, prefix) => {
      const isbn = parseIsbn(prefix + digits.slice(prefix.length))!;
      const isbn10 = toIsbn10(isbn);
      expect(isbn10 !== undefined).toBe(isbn.startsWith("978"));
      if (isbn10 !== undefined) expect(parseIsbn(isbn10) === isbn).toBe(hasValidCheckDigit(isbn));
      expect(isBookIsbn(isbn)).toBe(/^978|^979[1-9]/.test(isbn));
    }),
  );
});
