import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { shared } from "../lib/testing/shared-files.ts";
import { hasRightCheckDigit, isBookland, parseIsbn, toIsbn10 } from "./isbn.ts";

describe("parseIsbn", () => {
  test("takes 13 digits, whatever their check digit", () => {
    expect<string | undefined>(parseIsbn("9788437604947")).toBe("9788437604947");
    expect<string | undefined>(parseIsbn("9788437604940")).toBe("9788437604940");
  });

  test("takes what is printed on a book", () => {
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

  test("takes nothing else", () => {
    const traps = [
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
    for (const text of traps) expect(parseIsbn(text)).toBeUndefined();
  });

  test("an ISBN-10 and its ISBN-13 are the same book", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), (number) => {
        const core = String(number).padStart(9, "0");
        const found = [..."0123456789X"]
          .map((check) => parseIsbn(core + check))
          .filter((isbn) => isbn !== undefined);
        expect(found).toHaveLength(1);
        expect(hasRightCheckDigit(found[0]!)).toBe(true);
        expect<string | undefined>(parseIsbn(toIsbn10(found[0]!)!)).toBe(found[0]!);
      }),
    );
  });

  test("one wrong digit is always noticed", () => {
    const digit = fc.integer({ min: 0, max: 9 });
    fc.assert(
      fc.property(
        fc.array(digit, { minLength: 12, maxLength: 12 }),
        fc.nat(12),
        fc.integer({ min: 1, max: 9 }),
        (digits, at, by) => {
          const core = digits.join("");
          const right = [..."0123456789"].map((check) => parseIsbn(core + check)!).find(hasRightCheckDigit)!;
          const wrong = right.slice(0, at) + ((Number(right[at]) + by) % 10) + right.slice(at + 1);
          expect(hasRightCheckDigit(parseIsbn(wrong)!)).toBe(false);
        },
      ),
    );
  });
});

test("music is no book", () => {
  expect(isBookland(parseIsbn("9790321765436")!)).toBe(false);
  expect(isBookland(parseIsbn("7501031311309")!)).toBe(false);
  expect(isBookland(parseIsbn("9791034567890")!)).toBe(true);
});

const vectors = shared("vectors/isbn-vectors.json");
test.skipIf(vectors.missing)("711 numbers with verdicts (skipped where ../shared is not there)", async () => {
  const { vectors: all } = (await Bun.file(vectors.path).json()) as {
    vectors: { input: string; compact: string; verdict: string; isbn13?: string; isbn10?: string }[];
  };
  expect(all.length).toBe(711);
  for (const { compact, verdict, isbn13, isbn10 } of all) {
    const isbn = parseIsbn(compact);
    const right = isbn !== undefined && isBookland(isbn) && hasRightCheckDigit(isbn);
    expect([compact, right]).toEqual([compact, verdict === "isbn13" || verdict === "isbn10"]);
    if (right && isbn13) expect<string>(isbn).toBe(isbn13);
    if (right && isbn10) expect(toIsbn10(isbn)).toBe(isbn10);
    if (verdict === "bad-check-10" || verdict === "malformed")
      expect([compact, isbn]).toEqual([compact, undefined]);
  }
});
