import { expect, test } from "bun:test";
import { nearest } from "./arguments.ts";

const NAMES = ["workers", "port", "host", "admin-port", "db", "log"];

test.each([
  ["wokers", "workers"],
  ["wrokers", "workers"],
  ["worker", "workers"],
  ["prot", "port"],
  ["adminport", "admin-port"],
  ["bd", "db"],
  ["admin", "admin-port"],
])("suggests for %s the option %s", (text, name) => {
  expect(nearest(text, NAMES)).toBe(name);
});

test.each(["verbose", "x", "", "threads"])("suggests nothing for %p", (text) => {
  expect(nearest(text, NAMES)).toBeUndefined();
});

test.each(["tag", "report", "domain"])("takes no two errors in short names, for %s", (text) => {
  expect(nearest(text, [...NAMES, "drain"], 8)).toBeUndefined();
});
