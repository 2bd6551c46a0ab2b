import { expect, test } from "bun:test";
import { compare } from "../result-row.ts";
import { promised } from "./promised-rows.ts";
import { asItComesTable, tuningTable } from "./summaries.ts";

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
