import { expect, test } from "bun:test";
import { type GrowthPoint, growthTable, withPoint } from "../growth/growth.ts";
import { lookupsTable, postgresTable, sqliteTable } from "../scale/page.ts";
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
  const line = "| the same record again and again | 61,235 requests/s (15.0 µs) | 1.02 × nginx |";
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

function point(records: number, requestsPerSecond = 40_000): GrowthPoint {
  const lookups = { requestsPerSecond, cpuMicroseconds: 24.04 };
  return {
    records,
    date: "2026-01-02",
    feedBytes: records * 4000,
    fileBytes: records * 9000,
    import: { seconds: records / 2000, cpuSeconds: records / 1500, peakMB: 300 },
    uncached: lookups,
    asItComes: lookups,
    memory: { idleMB: 66, loadMB: 140 },
  };
}

test("a new point replaces the older one of its size, and sizes stay in order", () => {
  const points = [point(1_000_000), point(10_000)].reduce<GrowthPoint[]>(withPoint, []);
  const [small, large] = withPoint(points, point(10_000, 50_000));
  expect(small!.asItComes.requestsPerSecond).toBe(50_000);
  expect(large!.records).toBe(1_000_000);
});

test("writes a line of the table for each size", () => {
  const lines = growthTable([point(10_000), point(3_000_000)]).split("\n");
  expect(lines.map((line) => line.split("|")[1]!.trim())).toEqual(["records", "---", "10 k", "3 M"]);
  expect(lines[2]).toContain("| 40,000 | 40,000 | 24.0 and 24.0 µs |");
});

const cost = {
  date: "2026-01-02",
  records: 100_000,
  importSeconds: 60,
  storeBytes: 1.2e9,
  backupSeconds: 12,
  backupBytes: 3e8,
  verifySeconds: 30,
  restoreSeconds: 20,
};

test("extrapolates in proportion to the records, and says from what", () => {
  const lines = postgresTable(cost).split("\n");
  expect(lines[0]).toContain("at 10 million, extrapolated | at 100 million, extrapolated");
  expect(lines).toContain("| database with its indexes | 1.2 GB at 100,000 | 120 GB | 1,200 GB |");
  expect(lines).toContain("| `pg_dump`, one process | 12 s at 100,000 | 20 minutes | 3.3 hours |");
});

test("says of a figure that is missing that it was not measured", () => {
  expect(sqliteTable(undefined, undefined)).toContain("| catalog file | not measured | – | – |");
  expect(lookupsTable(undefined)).toContain("| not measured | – | – |");
});

test("multiplies the rate of one core", () => {
  const values = [{ label: "Colophon", value: 40_000 }];
  const rows = [promised("random, as it comes", { name: "random", unit: "requests/s", values })];
  const results = { date: "2026-01-02", machine: "2 cores", sizes: [], rows, notes: [] };
  expect(lookupsTable(results)).toContain("| 40,000 | 320,000 | 1,300,000 |");
});
