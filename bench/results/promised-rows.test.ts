import { expect, test } from "bun:test";
import { isGoalReached } from "../result-row.ts";
import { STEPS } from "../steps.ts";
import { PROMISED_ROWS, promised, rowsNotMeasured } from "./promised-rows.ts";
import { Table } from "./table.ts";

const promises = Object.keys(PROMISED_ROWS) as (keyof typeof PROMISED_ROWS)[];
const row = { name: "a row", unit: "MB", values: [{ label: "Colophon", value: 1 }] };

test("every promised row belongs to one step", () => {
  expect(STEPS.flatMap((step) => step.promises).sort()).toEqual([...promises].sort());
});

test("returns a row with its reason for each promise that was not measured", () => {
  const missing = rowsNotMeasured([promised("hot, file", row)], (promise) => `no ${promise}`);
  expect(missing.map(({ promise }) => promise!)).toEqual(
    promises.filter((promise) => promise !== "hot, file"),
  );
  expect(missing[0]!.values[0]!.reason).toBe(`no ${missing[0]!.promise}`);
  expect(missing.map(isGoalReached)).toEqual(missing.map(() => undefined));
});

test("a table has all promised rows first, with the reason of a failed step", async () => {
  const table = new Table();
  await table.step("one", ["peak memory"], async () => {
    table.add(row);
    throw new Error("no room");
  });
  expect(table.rows.slice(0, promises.length).map(({ promise }) => promise!)).toEqual(promises);
  expect(table.rows.at(-1)!.name).toBe("a row");
  const peak = table.rows.find(({ promise }) => promise === "peak memory")!;
  expect(peak.values[0]!.reason).toBe("no room");
  expect(table.notes).toEqual(["one: no room"]);
});
