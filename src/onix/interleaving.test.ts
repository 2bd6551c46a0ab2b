import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ContentModel, NO_STATE, START } from "./check/content-model.ts";
import { elementByTag } from "./element-table.ts";
import schema from "./generated/schema.json" with { type: "json" };
import {
  INTERLEAVED_COMPOSITES,
  interleave,
  interleavedNames,
  interleavingToRemember,
} from "./interleaving.ts";

interface Composite {
  readonly name: string;
  readonly model: ContentModel;
}

/** Every content model of ONIX 3.0 and 3.1, with the name of the element that has it. */
function allComposites(): Composite[] {
  const rows = Object.entries(schema as Record<string, { model?: string | (string | null)[] }>);
  const models = rows.flatMap(([row, { model }]) =>
    [model]
      .flat()
      .flatMap((expression) => (expression ? [{ row, model: new ContentModel(expression) }] : [])),
  );
  // A row is an element, or a type of elements that are declared in their place.
  const nameOfRow = new Map(
    models.flatMap(({ model }) => model.particles.map(({ name, row }) => [row, name] as const)),
  );
  return models.map(({ row, model }) => ({ name: nameOfRow.get(row) ?? row, model }));
}

/** Returns the names that may stand both before and after another name. */
function mixedNames({ particles, following }: ContentModel): string[] {
  const states = particles.map((_, index) => index + 1);
  const pairs = new Set<string>();
  for (const start of states) {
    const reached = new Set<number>();
    const open = [...following[start]!];
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (reached.has(state)) continue;
      reached.add(state);
      open.push(...following[state]!);
      pairs.add(`${particles[start - 1]!.name} ${particles[state - 1]!.name}`);
    }
  }
  const names = [...new Set(particles.map(({ name }) => name))];
  return names.filter((name) =>
    names.some((other) => other !== name && pairs.has(`${name} ${other}`) && pairs.has(`${other} ${name}`)),
  );
}

/** Draws children that the model accepts. */
function drawChildren(model: ContentModel, draw: fc.GeneratorValue): string[] {
  const names: string[] = [];
  let state = START;
  while (names.length < 20) {
    const next = model.following[state]!;
    if (next.length === 0 || (model.mayEnd[state] && draw(fc.nat, { max: 4 }) === 0)) break;
    state = next[draw(fc.nat, { max: next.length - 1 })]!;
    names.push(model.particle(state).name);
  }
  const end = model.path(state, (one) => model.mayEnd[one]!)!;
  return [...names, ...end.map((one) => model.particle(one).name)];
}

function accepts(model: ContentModel, names: readonly string[]): boolean {
  let state = START;
  for (const name of names) {
    state = model.nextState(state, name);
    if (state === NO_STATE) return false;
  }
  return model.mayEnd[state]!;
}

/** Sorts children as a record does: in the order of the table, those of one name together. */
function asInRecord(composite: string, names: readonly string[]) {
  const { children } = elementByTag(composite)!;
  return names
    .map((name, index) => ({ name, index }))
    .sort((a, b) => children.get(a.name)!.order - children.get(b.name)!.order);
}

function remember(composite: string, names: readonly string[]): readonly string[] | undefined {
  const alternating = interleavedNames(composite);
  return (
    alternating &&
    interleavingToRemember(
      composite,
      names.filter((name) => alternating.has(name)),
    )
  );
}

const composites = allComposites();

describe("the table of alternating children", () => {
  test("has every composite of the standard in which names alternate", () => {
    const mixed = composites.filter(({ model }) => mixedNames(model).length > 0);
    // ONIX 3.0 also has a deprecated place for UnnamedPersons, after other elements. It means the same in both places.
    expect([...new Set(mixed.map(({ name }) => name))].sort()).toEqual(
      [...INTERLEAVED_COMPOSITES, "Contributor"].sort(),
    );
  });

  test.each(INTERLEAVED_COMPOSITES)("has all children of %s that alternate", (composite) => {
    const mixed = composites
      .filter(({ name }) => name === composite)
      .flatMap(({ model }) => mixedNames(model));
    // OnHand is always first, but may have a proximity.
    const first = composite === "Stock" ? ["OnHand"] : [];
    expect([...interleavedNames(composite)!].sort()).toEqual([...new Set([...first, ...mixed])].sort());
  });
});

describe("interleave", () => {
  const drawnComposite = fc.constantFrom(...composites);

  test("returns the children of every composite in the order of the feed", () => {
    fc.assert(
      fc.property(drawnComposite, fc.gen(), ({ name, model }, draw) => {
        const names = drawChildren(model, draw);
        fc.pre(!(name === "Contributor" && names.includes("UnnamedPersons")));
        const result = interleave(name, asInRecord(name, names), remember(name, names));
        expect(result.map(({ index }) => index)).toEqual(names.map((_, index) => index));
      }),
      { numRuns: 3000 },
    );
  });

  test("returns a valid order when the origin remembers none", () => {
    fc.assert(
      fc.property(drawnComposite, fc.gen(), ({ name, model }, draw) => {
        const names = drawChildren(model, draw);
        const result = interleave(name, asInRecord(name, names), undefined).map((child) => child.name);
        expect([result, accepts(model, result)]).toEqual([result, true]);
      }),
      { numRuns: 3000 },
    );
  });

  test("ignores a remembered order that does not fit the children", () => {
    const children = asInRecord("Stock", ["OnHand", "OnOrder", "Proximity"]);
    const result = interleave("Stock", children, ["OnHand", "CBO", "Proximity"]);
    expect(result.map(({ name }) => name)).toEqual(["OnHand", "Proximity", "OnOrder"]);
  });
});

describe("interleavingToRemember", () => {
  test.each([
    ["Stock", "OnHand Proximity OnOrder Proximity"],
    ["Stock", "OnHand Proximity OnOrder"],
    ["Stock", "OnHand Proximity OnHand Proximity"],
    ["AudienceRange", "AudienceRangePrecision AudienceRangeValue AudienceRangePrecision AudienceRangeValue"],
  ])("returns undefined for %s with %s, which the writer assumes", (composite, names) => {
    expect(interleavingToRemember(composite, names.split(" "))).toBeUndefined();
  });

  test("returns undefined for an order that does not tell what belongs together", () => {
    expect(interleavingToRemember("Stock", ["Proximity", "OnHand", "OnOrder"])).toBeUndefined();
    expect(interleavingToRemember("Stock", ["OnHand", "Proximity", "Proximity", "OnOrder"])).toBeUndefined();
  });

  test.each(["OnHand OnOrder Proximity", "OnOrder Proximity OnHand Proximity", "OnHand OnHand Proximity"])(
    "returns the order of a Stock with %s",
    (names) => {
      expect(interleavingToRemember("Stock", names.split(" "))).toEqual(names.split(" "));
    },
  );
});
