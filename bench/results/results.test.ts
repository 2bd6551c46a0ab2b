import { expect, test } from "bun:test";
import { STEPS } from "../steps.ts";
import { Table } from "./results.ts";
import { compare, isGoalReached, PROMISED_ROWS, promised, rowsNotMeasured } from "./rows.ts";
import { asItComesTable, tuningTable } from "./tables.ts";

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

const values = [
  { label: "Colophon", value: 61_234.5, cpuMicroseconds: 15.04 },
  { label: "nginx", value: 60_000, cpuMicroseconds: 16 },
];
const rows = [promised("hot, as it comes", compare("one hot record", "requests/s", values, "nginx"))];

test("says what a user gets, with the ratio to the other server", () => {
  const line =
    "| the same record again and again | 61,235 requests/s, 15.0 µs of CPU time each | 1.02 × nginx |";
  expect(asItComesTable(rows).split("\n")).toContain(line);
});

test("says of each figure that is missing that it was not measured", () => {
  expect(tuningTable(rows).split("\n")).toContain("| `--log none` | not measured | not measured |");
});

test("takes the list from the cache for the cached one, and not the first list, whose name begins like it", () => {
  const name = "/api/imprint, 10,000 records";
  const first = promised(
    "first list",
    compare(`${name}, uncached`, "lists/s", [{ label: "Colophon", value: 5 }], "nginx"),
  );
  const cached = compare(name, "MB/s", [{ label: "Colophon", value: 1773 }], "nginx");
  const line = asItComesTable([first, cached])
    .split("\n")
    .find((each) => each.includes("again, from"));
  expect(line).toContain("1,773 MB/s");
});
