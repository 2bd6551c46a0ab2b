import { expect, test } from "bun:test";
import fc from "fast-check";
import { growthOf, MAX_LINEAR_GROWTH } from "../../lib/testing/cpu-time.ts";
import { fold } from "./fold.ts";

test.each([
  ["García MÁRQUEZ", "garcia marquez"],
  ["Straße", "strasse"],
  ["Søren Kierkegaard", "soren kierkegaard"],
  ["Łódź", "lodz"],
  ["Œuvre, Æsop", "oeuvre, aesop"],
  ["İstanbul, ISPARTA, ısı", "istanbul, isparta, isi"],
  ["ΟΔΥΣΣΕΎΣ", "οδυσσευσ"],
  ["Ёлка й", "елка и"],
  ["ﬁn Ⅳ ½ ℡", "fin iv 1⁄2 tel"],
  ["한국", "한국"],
  ["soft\u00adhyphen", "softhyphen"],
  ["ＡＢＣ", "abc"],
])("fold returns text without case and accents for %p", (text, expected) => {
  expect(fold(text)).toBe(expected);
});

test("fold returns the same for a text in any normalization form", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(fold(text.normalize("NFD"))).toBe(fold(text.normalize("NFC")));
    }),
  );
});

test("fold leaves folded text as it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(fold(fold(text))).toBe(fold(text));
    }),
  );
});

test("fold takes linear time for runs of marks", () => {
  // 40,000 marks took 2.9 seconds when they were ordered.
  const growth = growthOf(10_000, (marks) => {
    const text = `a${"\u0345\u0301".repeat(marks / 2)}`;
    return () => {
      for (let round = 0; round < 5; round++) expect(fold(text)).toBe("a");
    };
  });
  expect(growth).toBeLessThan(MAX_LINEAR_GROWTH);
});
