import { describe, expect, test } from "bun:test";
import schema from "../generated/schema.json" with { type: "json" };
import { ContentModel, childOrder, NO_STATE, START } from "./content-model.ts";

/** Tells whether the model accepts these children. */
function accepts(expression: string, children: string): boolean {
  const model = new ContentModel(expression);
  let state = START;
  for (const name of children.split(" ").filter(Boolean)) {
    state = model.nextState(state, name);
    if (state === NO_STATE) return false;
  }
  return model.mayEnd[state]!;
}

describe("ContentModel", () => {
  test.each([
    ["A,B?,C*", "A", true],
    ["A,B?,C*", "A B C C", true],
    ["A,B?,C*", "B", false],
    ["A,B?,C*", "A C B", false],
    ["A+,(B|C)", "A A C", true],
    ["A+,(B|C)", "A B C", false],
    ["(A,B?|B)", "B", true],
    ["(A,B?|B)", "A B", true],
    ["(A,B?|B)", "B A", false],
    ["(A,(B,C?)?)*", "A A B A B C", true],
    ["A=TypeOfA,B", "A B", true],
    ["A,A?", "A A", true],
    ["A,A?", "A A A", false],
    ["(A?|B)", "", true],
  ])("%s with the children %s: %p", (expression, children, expected) => {
    expect(accepts(expression, children)).toBe(expected);
  });

  test("returns the shortest way to the end of the model", () => {
    const model = new ContentModel("A,B?,(C|D),E");
    const path = model.path(model.nextState(START, "A"), (state) => model.mayEnd[state]!);
    expect(path?.map((state) => model.particle(state).name)).toEqual(["C", "E"]);
  });

  test("every model of the standard gives each child one position", () => {
    const rows = Object.values(schema as Record<string, { model?: string | (string | null)[] }>);
    const expressions = rows.flatMap(({ model }) => model ?? []).filter((model) => model !== null);
    expect(expressions.length).toBeGreaterThan(150);
    for (const expression of expressions) {
      const model = new ContentModel(expression);
      for (const states of model.following) {
        const names = states.map((state) => model.particle(state).name);
        expect([expression, names.length]).toEqual([expression, new Set(names).size]);
      }
    }
  });
});

describe("childOrder", () => {
  test("returns the order of the expression", () => {
    expect(childOrder(new ContentModel("A,(B|C)*,D"))).toEqual(["A", "B", "C", "D"]);
  });

  test("puts a name that stands at several positions after those that precede it everywhere", () => {
    expect(childOrder(new ContentModel("(In,RegionsIn?,RegionsOut?|RegionsIn,Out?,RegionsOut?)"))).toEqual([
      "In",
      "RegionsIn",
      "Out",
      "RegionsOut",
    ]);
  });
});
