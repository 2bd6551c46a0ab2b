/** Headers of any make are read without a throw, and by the rules of RFC 9110, 12.5 and 13.1.2. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { acceptsJson, chooseCoding, matchesEtag } from "./negotiation.ts";

const CODINGS = ["gzip", "br", "zstd"] as const;
const weight = fc.constantFrom(undefined, 0, 0.001, 0.2, 0.5, 0.999, 1);
const blank = fc.constantFrom("", " ", "\t");

interface Item {
  readonly name: string;
  readonly q: number | undefined;
  readonly blank: string;
}

function listOf(...names: string[]): fc.Arbitrary<Item[]> {
  const item = fc.record({ name: fc.constantFrom(...names), q: weight, blank });
  return fc.uniqueArray(item, { selector: ({ name }) => name, maxLength: names.length });
}

const written = (items: readonly Item[]) =>
  items.map(({ name, q, blank }) => `${blank}${name}${q === undefined ? "" : `${blank};q=${q}`}`).join(",");

test("a coding is chosen only where the client allows it, and the one that it likes best", () => {
  fc.assert(
    fc.property(listOf(...CODINGS, "identity", "*", "deflate"), (items) => {
      const weights = new Map(items.map(({ name, q }) => [name, q ?? 1]));
      const weightOf = (name: string) => weights.get(name) ?? weights.get("*") ?? 0;
      const identityAllowed = (weights.get("identity") ?? weights.get("*") ?? 1) > 0;
      const choice = chooseCoding(written(items));
      const best = Math.max(...CODINGS.map(weightOf));
      if (!choice) {
        expect([best, identityAllowed]).toEqual([0, false]);
      } else if (choice.coding === undefined) {
        expect(identityAllowed).toBe(true);
        expect(best === 0 || (weights.get("identity") ?? 0) > best).toBe(true);
      } else {
        expect(weightOf(choice.coding)).toBe(best);
        expect(best).toBeGreaterThan(0);
        expect(choice.acceptsIdentity).toBe(identityAllowed);
      }
    }),
    { numRuns: 2000 },
  );
});

test("JSON is sent where the most specific range that fits it allows it", () => {
  fc.assert(
    fc.property(
      listOf("application/json", "application/*", "*/*", "text/html", "application/xml"),
      (items) => {
        const weights = new Map(items.map(({ name, q }) => [name, q ?? 1]));
        const own = weights.get("application/json") ?? weights.get("application/*") ?? weights.get("*/*");
        expect(acceptsJson(written(items))).toBe(items.length === 0 || (own ?? 0) > 0);
      },
    ),
    { numRuns: 2000 },
  );
});

test("a tag is found wherever it stands in the list, weak or strong, and no other", () => {
  const tag = fc.stringMatching(/^"[0-9a-f]{1,8}(-gzip)?"$/);
  fc.assert(
    fc.property(tag, fc.array(tag, { maxLength: 4 }), fc.nat(4), fc.boolean(), (own, others, place, weak) => {
      const without = others.filter((other) => other !== own);
      expect(matchesEtag(without.join(", "), own)).toBe(false);
      const list = without.toSpliced(place, 0, weak ? `W/${own}` : own);
      expect(matchesEtag(list.join(", "), own)).toBe(true);
      expect(matchesEtag(list.join(","), own)).toBe(true);
    }),
  );
});

test("no header makes any of them throw", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[a-z*/;q=,.0-9" W]{0,60}$/)),
      (header) => {
        chooseCoding(header);
        acceptsJson(header);
        expect(typeof matchesEtag(header, '"x"')).toBe("boolean");
      },
    ),
    { numRuns: 3000 },
  );
});
