import { heapStats } from "bun:jsc";
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { acceptedTypes, chooseCoding, matchesEtag } from "./negotiation.ts";

describe("chooseCoding", () => {
  test.each([
    [null, undefined, true],
    ["", undefined, true],
    ["gzip", "gzip", true],
    ["x-gzip", "gzip", true],
    ["GZIP", "gzip", true],
    ["br", "br", true],
    ["zstd", "zstd", true],
    ["gzip, deflate, br, zstd", "zstd", true],
    ["gzip, deflate, br", "gzip", true],
    ["gzip; q=0.5 , br ;q=0.5", "gzip", true],
    ["br;q=1.0, gzip;q=0.999", "br", true],
    ["*", "zstd", true],
    ["*, zstd;q=0", "gzip", true],
    ["gzip, identity;q=0", "gzip", false],
    ["gzip;q=0.5, identity", undefined, true],
    ["gzip;q=0.5, identity;q=0.5", "gzip", true],
    ["gzip;q=x", undefined, true],
    ["gzip;q=2", undefined, true],
    ["gzip;q=-1", undefined, true],
    [",,gzip,,", "gzip", true],
  ] as const)("chooses for %p the coding %p", (header, coding, identity) => {
    expect(chooseCoding(header)).toEqual({ coding, acceptsIdentity: identity });
    // The second time, the choice comes from the cache.
    expect(chooseCoding(header)).toEqual({ coding, acceptsIdentity: identity });
  });

  test.each(["identity;q=0", "*;q=0", "deflate, identity;q=0.0", "*;q=0, gzip;q=0"])(
    "returns undefined for %p",
    (header) => {
      expect(chooseCoding(header)).toBeUndefined();
      expect(chooseCoding(header)).toBeUndefined();
    },
  );

  test("ignores a header of more than 1 kB (RFC 9110 §12.1)", () => {
    expect(chooseCoding(`gzip,${" ".repeat(1019)}`)?.coding).toBe("gzip");
    expect(chooseCoding(`gzip,${" ".repeat(1020)}`)).toEqual({ coding: undefined, acceptsIdentity: true });
    expect(chooseCoding(`identity;q=0,${"a;b,".repeat(300)}`)).toEqual(chooseCoding(null));
  });

  test("keeps few headers in memory, and no long ones", () => {
    const heapBytes = () => {
      Bun.gc(true);
      return heapStats().extraMemorySize;
    };
    const before = heapBytes();
    // All of them take 12 MB.
    for (let count = 0; count < 15_000; count++)
      expect(chooseCoding(`gzip, x${count}${"x".repeat(800)}`)?.coding).toBe("gzip");
    for (let count = 0; count < 20_000; count++)
      expect(chooseCoding(`gzip, x${count}${"x".repeat(400)}`)?.coding).toBe("gzip");
    expect(heapBytes() - before).toBeLessThan(2_000_000);
    expect(chooseCoding("br, x1")?.coding).toBe("br");
  });
});

describe("acceptedTypes", () => {
  test.each([
    [null, true],
    ["", true],
    ["text/html, application/xhtml+xml, */*;q=0.8", true],
    ["APPLICATION/JSON; charset=utf-8", true],
    ["text/html", false],
    ["application/jsonx", false],
  ] as const)("for %p returns %p", (header, accepted) => {
    expect(acceptedTypes(header).json).toBe(accepted);
  });

  test("ignores a header of more than 1 kB (RFC 9110 §12.1)", () => {
    expect(acceptedTypes("text/html,".repeat(102)).json).toBe(false);
    expect(acceptedTypes("text/html,".repeat(103)).json).toBe(true);
  });
});

describe("matchesEtag", () => {
  test.each([
    [null, false],
    ["*", true],
    ['"b,\\"a\\"', false],
    ["a", false],
    ['"ab"', false],
    ['"*"', false],
    ['"b" ,\t"a" ', true],
    ['"b"a"c"', false],
    ['"b", "a', false],
    [`${'"b",'.repeat(10_000)}"a"`, true],
    [`${'"aa",'.repeat(10_000)}"c"`, false],
  ] as const)("for %p returns %p", (header, matches) => {
    expect(matchesEtag(header, '"a"')).toBe(matches);
  });
});

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
