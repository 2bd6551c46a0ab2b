import { expect } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testsWith } from "../../lib/testing/tests-with.ts";
import { TempFolder } from "../../stores/sqlite/testing/folder.ts";
import { FolderInUse, FolderProblem } from "./folder/folder-problem.ts";
import { JOURNAL_FILE, Journal } from "./journal.ts";

const test = testsWith(() => new TempFolder());

const ENTRY = { id: "1", name: "sender/a.xml", contentKey: "7:1:2", sha256: "ab", lastNumber: 3 };

test("has the entries that were not ended, after it is opened again", (folder) => {
  const first = new Journal(folder.path);
  first.begin(ENTRY);
  first.begin({ ...ENTRY, id: "2" });
  first.begin({ ...ENTRY, id: "3" });
  const decision = { outcome: "refused", target: "a.2.xml", facts: { REASON: "x" } } as const;
  first.decide("2", decision);
  first.end("3");
  first.close();
  const second = new Journal(folder.path);
  expect(second.entries()).toEqual([
    { ...ENTRY, decision: undefined },
    { ...ENTRY, id: "2", decision },
  ]);
  second.close();
});

test("locks the folder until it is closed", (folder) => {
  const first = new Journal(folder.path);
  expect(() => new Journal(folder.path)).toThrow(FolderInUse);
  first.close();
  new Journal(folder.path).close();
});

test("notices that its file is gone", (folder) => {
  const journal = new Journal(folder.path);
  expect(journal.isInPlace).toBe(true);
  rmSync(join(folder.path, JOURNAL_FILE));
  expect(journal.isInPlace).toBe(false);
  journal.close();
});

test("says what to do about a damaged file", (folder) => {
  writeFileSync(join(folder.path, JOURNAL_FILE), "x".repeat(5000));
  expect(() => new Journal(folder.path)).toThrow(FolderProblem);
  expect(() => new Journal(folder.path)).toThrow(/\.colophon-watch is damaged \(.*\); delete it\./);
});
