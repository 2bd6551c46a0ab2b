import { expect, test } from "bun:test";
import { mergeOrigins } from "./origin.ts";

function merge(stored: object, update: object, ...blocks: string[]): unknown {
  return JSON.parse(mergeOrigins(JSON.stringify(stored), JSON.stringify(update), new Set(blocks)));
}

test("takes what is about a replaced block from the update, and the rest from the record", () => {
  const stored = {
    release: "3.0",
    completed: 2,
    sent: { 0: "x" },
    exceptions: { CollateralDetail: [1], ProductSupply: [2] },
    defaults: { DefaultLanguageOfText: [0], DefaultPriceType: [0], DefaultCurrencyCode: [0, 1] },
  };
  const update = {
    release: "3.1",
    completed: 1,
    exceptions: { CollateralDetail: [3], PublishingDetail: [4] },
  };
  expect(merge(stored, update, "CollateralDetail", "ProductSupply")).toEqual({
    release: "3.1",
    completed: 2,
    sent: { 0: "x" },
    exceptions: { CollateralDetail: [3] },
    defaults: { DefaultLanguageOfText: [0] },
  });
});

test("takes the header's defaults of a replaced block from the update", () => {
  const stored = { release: "3.0", defaults: { DefaultLanguageOfText: [0], DefaultPriceType: [1] } };
  const update = { release: "3.0", defaults: { DefaultPriceType: [0, 2], DefaultCurrencyCode: [0] } };
  expect(merge(stored, update, "ProductSupply")).toEqual({
    release: "3.0",
    defaults: { DefaultLanguageOfText: [0], DefaultPriceType: [0, 2], DefaultCurrencyCode: [0] },
  });
  expect(merge(stored, update, "DescriptiveDetail")).toEqual({
    release: "3.0",
    defaults: { DefaultPriceType: [1] },
  });
});

test("takes the flags from the update when it replaces DescriptiveDetail", () => {
  const stored = { release: "3.0", set: ["NoCollection"], unset: ["NoEdition"] };
  const update = { release: "3.0", set: ["NoEdition"] };
  expect(merge(stored, update, "DescriptiveDetail")).toEqual({ release: "3.0", set: ["NoEdition"] });
  expect(merge(stored, update, "ProductSupply")).toEqual(stored);
});

test("removes a member that becomes empty", () => {
  expect(merge({ release: "3.0", exceptions: { A: [1] } }, { release: "3.0" }, "A")).toEqual({
    release: "3.0",
  });
});

test("returns the same text for a repeated update, whatever the order of the members", () => {
  const stored = '{"exceptions":{"B":[1],"A":[2]},"set":["NoEdition"],"release":"3.0","completed":1}';
  const update = '{"release":"3.0","set":["NoEdition"],"exceptions":{"A":[2],"B":[1]}}';
  expect(mergeOrigins(stored, update, new Set(["A", "B", "DescriptiveDetail"]))).toBe(stored);
});
