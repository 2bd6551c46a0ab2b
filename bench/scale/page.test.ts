import { expect, test } from "bun:test";
import { promised } from "../results/rows.ts";
import { lookupsTable, postgresTable, sqliteTable } from "./page.ts";

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
