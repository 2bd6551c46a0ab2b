import { expect, test } from "bun:test";
import { byName, matchingImprints } from "./matching.ts";

const imprints = [
  { slug: "zeta", name: "Zeta" },
  { slug: "agora", name: "Ágora" },
  { slug: "10-19", name: "10/19" },
  { slug: "anos-2", name: "Años 2" },
  { slug: "anos-10", name: "Años 10" },
];
const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);

test("matchingImprints finds parts of names without case and accents", () => {
  expect(names(matchingImprints(imprints, "AGO"))).toEqual(["Ágora"]);
  expect(names(matchingImprints(imprints, "10 anos"))).toEqual(["Años 10"]);
  expect(matchingImprints(imprints, " ")).toBe(imprints);
  expect(matchingImprints(imprints, "(")).toEqual([]);
});

test("byName sorts as the language does, and numbers by value", () => {
  expect(names(byName(imprints, "es"))).toEqual(["10/19", "Ágora", "Años 2", "Años 10", "Zeta"]);
});
