import { expect, test } from "bun:test";
import { type GrowthPoint, growthTable, withPoint } from "./growth.ts";

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
