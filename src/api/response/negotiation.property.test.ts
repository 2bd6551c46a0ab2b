/** Any header is parsed without an exception, by the rules of RFC 9110 §12.5 and §13.1.2. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { acceptedTypes, chooseCoding, matchesEtag } from "./negotiation.ts";

const CODINGS = ["gzip", "br", "zstd"] as const;
const weight = fc.constantFrom(undefined, 0, 0.001, 0.2, 0.5, 0.999, 1);
const space = fc.constantFrom("", " ", "\t");

interface Item {
  readonly name: string;
  readonly q: number | undefined;
  readonly space: string;
}

function listOf(...names: string[]): fc.Arbitrary<Item[]> {
  const item = fc.record({ name: fc.constantFrom(...names), q: weight, space });
  return fc.uniqueArray(item, { selector: ({ name }) => name, maxLength: names.length });
}

const headerOf = (items: readonly Item[]) =>
  items.map(({ name, q, space }) => `${space}${name}${q === undefined ? "" : `${space};q=${q}`}`).join(",");

test("chooseCoding chooses the allowed coding with the highest weight", () => {
  fc.assert(
    fc.property(listOf(...CODINGS, "identity", "*", "deflate"), (items) => {
      const weights = new Map(items.map(({ name, q }) => [name, q ?? 1]));
      const weightOf = (name: string) => weights.get(name) ?? weights.get("*") ?? 0;
      const identityAllowed = (weights.get("identity") ?? weights.get("*") ?? 1) > 0;
      const choice = chooseCoding(headerOf(items));
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

test("acceptedTypes follows the most specific range that matches JSON", () => {
  fc.assert(
    fc.property(
      listOf("application/json", "application/*", "*/*", "text/html", "application/xml"),
      (items) => {
        const weights = new Map(items.map(({ name, q }) => [name, q ?? 1]));
        const weight = weights.get("application/json") ?? weights.get("application/*") ?? weights.get("*/*");
        expect(acceptedTypes(headerOf(items)).json).toBe(items.length === 0 || (weight ?? 0) > 0);
      },
    ),
    { numRuns: 2000 },
  );
});

test("matchesEtag finds the ETag anywhere in the list, weak or strong, and no other", () => {
  const etag = fc.stringMatching(/^"[0-9a-f]{1,8}(-gzip)?"$/);
  fc.assert(
    fc.property(
      etag,
      fc.array(etag, { maxLength: 4 }),
      fc.nat(4),
      fc.boolean(),
      (own, others, index, weak) => {
        const without = others.filter((other) => other !== own);
        expect(matchesEtag(without.join(", "), own)).toBe(false);
        const list = without.toSpliced(index, 0, weak ? `W/${own}` : own);
        expect(matchesEtag(list.join(", "), own)).toBe(true);
        expect(matchesEtag(list.join(","), own)).toBe(true);
      },
    ),
  );
});

test("no header makes a function throw", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: "binary" }), fc.stringMatching(/^[a-z*/;q=,.0-9" W]{0,60}$/)),
      (header) => {
        chooseCoding(header);
        acceptedTypes(header).json;
        expect(typeof matchesEtag(header, '"x"')).toBe("boolean");
      },
    ),
    { numRuns: 3000 },
  );
});
