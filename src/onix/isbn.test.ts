import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { sharedFile } from "../lib/testing/requirements.ts";
import { hasValidCheckDigit, isBookIsbn, parseIsbn, toIsbn10 } from "./isbn.ts";

describe("parseIsbn", () => {
  test("accepts the notations that are printed on books", () => {
    const isbn = "9788437604947";
    for (const text of [
      "978-84-376-0494-7",
      "978 84 376 0494 7",
      "978‐84‐376‐0494‐7",
      "978\u201184\u2011376\u00A00494\u20117",
      " 9788437604947 ",
    ]) {
      expect<string | undefined>(parseIsbn(text)).toBe(isbn);
    }
    for (const text of ["843760494X", "84-376-0494-x"])
      expect<string | undefined>(parseIsbn(text)).toBe(isbn);
    for (const text of ["019963209X", "019963209x"])
      expect<string | undefined>(parseIsbn(text)).toBe("9780199632091");
  });

  test("rejects everything else", () => {
    const rejected = [
      "",
      "978843760494",
      "97884376049470",
      "８43760494X",
      "９７８８４３７６０４９４７",
      "٩٧٨٨٤٣٧٦٠٤٩٤٧",
      "978\u00AD8437604947",
      "9788437604947\u200B",
      "\uFEFF9788437604947",
      "9788437604947\n",
      "9788437604947\0",
      "+9788437604947",
      "9.788437604947e12",
      "0x8E7035F7B03",
      "urn:isbn:9788437604947",
      "8437604947",
      "978–84–376–0494–7",
      "X437604947",
    ];
    for (const text of rejected) expect(parseIsbn(text)).toBeUndefined();
  });
});

test("isBookIsbn rejects the prefixes of music and other goods", () => {
  expect(isBookIsbn(parseIsbn("9790321765436")!)).toBe(false);
  expect(isBookIsbn(parseIsbn("7501031311309")!)).toBe(false);
  expect(isBookIsbn(parseIsbn("9791034567890")!)).toBe(true);
});

describe("check digits", () => {
  /** ISBN-13 and ISBN-10 of printed books; 979 has no ISBN-10. */
  test.each([
    ["9780306406157", "0306406152"],
    ["9783161484100", "316148410X"],
    ["9780140449136", "0140449132"],
    ["9788437604947", "843760494X"],
    ["9780199632091", "019963209X"],
    ["9780000000002", "0000000000"],
    ["9791034567898", undefined],
  ])("of %s are those of the book, also as an ISBN-10", (isbn13, isbn10) => {
    const isbn = parseIsbn(isbn13)!;
    expect(hasValidCheckDigit(isbn)).toBe(true);
    expect(toIsbn10(isbn)).toBe(isbn10);
    if (isbn10 !== undefined) expect(parseIsbn(isbn10)).toBe(isbn);
  });

  test("are those that the definition of ISO 2108 gives, for any digits", () => {
    const nine = fc.stringMatching(/^[0-9]{9}$/);
    fc.assert(
      fc.property(nine, (core) => {
        const weighted = (digits: string, weight: (index: number) => number) =>
          [...digits].reduce((sum, digit, index) => sum + Number(digit) * weight(index), 0);
        const isValid13 = (digits: string) =>
          weighted(digits, (index) => (index % 2 === 0 ? 1 : 3)) % 10 === 0;
        const isbn13 = [..."0123456789"].map((check) => `978${core}${check}`).find(isValid13);
        for (const [value, check] of [..."0123456789X"].entries()) {
          const isValid10 = (weighted(core, (index) => 10 - index) + value) % 11 === 0;
          expect<string | undefined>(parseIsbn(core + check)).toBe(isValid10 ? isbn13 : undefined);
        }
        for (const prefix of ["978", "979"]) {
          for (const check of "0123456789") {
            const isbn = parseIsbn(prefix + core + check)!;
            expect(hasValidCheckDigit(isbn)).toBe(isValid13(isbn));
          }
        }
      }),
    );
  });
});

const vectors = sharedFile("vectors/isbn-vectors.json");
test.skipIf(vectors.missing)(
  "parseIsbn, isBookIsbn and hasValidCheckDigit agree with 711 test vectors (skipped without ../shared)",
  async () => {
    const { vectors: all } = (await Bun.file(vectors.path).json()) as {
      vectors: { input: string; compact: string; verdict: string; isbn13?: string; isbn10?: string }[];
    };
    expect(all.length).toBe(711);
    for (const { compact, verdict, isbn13, isbn10 } of all) {
      const isbn = parseIsbn(compact);
      const isValid = isbn !== undefined && isBookIsbn(isbn) && hasValidCheckDigit(isbn);
      expect([compact, isValid]).toEqual([compact, verdict === "isbn13" || verdict === "isbn10"]);
      if (isValid && isbn13) expect<string>(isbn).toBe(isbn13);
      if (isValid && isbn10) expect(toIsbn10(isbn)).toBe(isbn10);
      if (verdict === "bad-check-10" || verdict === "malformed")
        expect([compact, isbn]).toEqual([compact, undefined]);
    }
  },
);

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
