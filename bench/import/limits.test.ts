import { expect, test } from "bun:test";
import { judge, type RowResult, resultsTable, type Values } from "./limits.ts";

function result(id: string, values: Values, store: RowResult["store"] = "sqlite"): RowResult {
  return { id, name: id, store, values };
}

test("a limit of several rows is judged by the worst of them on each store", () => {
  const results = [
    result("new", { peakMB: 251 }),
    result("supply", { peakMB: 300 }),
    result("supply", { peakMB: 250 }, "postgres"),
  ];
  const verdicts = judge(results, true).map(({ result: { id, store }, value, isReached }) => ({
    id,
    store,
    value,
    isReached,
  }));
  expect(verdicts).toEqual([
    { id: "supply", store: "sqlite", value: 300, isReached: false },
    { id: "supply", store: "postgres", value: 250, isReached: true },
  ]);
});

test("a rate must reach its limit, which small feeds do not have to", () => {
  const results = [result("day-supply", { productsPerSecond: 4999 }), result("supply", { newRatio: 1 })];
  const verdicts = judge(results, false).map(({ measure, isReached }) => ({ measure, isReached }));
  expect(verdicts).toEqual([
    { measure: "newRatio", isReached: true },
    { measure: "productsPerSecond", isReached: false },
  ]);
  expect(judge(results, true).map(({ measure }) => measure)).toEqual(["newRatio"]);
});

test("the table leaves out columns that no row has", () => {
  const table = resultsTable([result("new", { products: 20_000, seconds: 1.234 }), result("again", {})]);
  expect(table.split("\n")).toEqual([
    "| import | store | products | s | before |",
    "| --- | --- | --- | --- | --- |",
    "| new | sqlite | 20,000 | 1.23 | – |",
    "| again | sqlite | – | – | – |",
  ]);
});
