import { expect, test } from "bun:test";
import type { KeptImportDetails } from "../../catalog/history/import-history.ts";
import { noUpdates } from "../../catalog/history/update-counts.ts";
import { emptyCounts } from "../../catalog/report.ts";
import { countsText, historyTable, importText } from "./history-text.ts";

const HOSTILE = `\u001b[2J\n\u202e${"x".repeat(1000)}`;
const run: KeptImportDetails = {
  number: 3,
  id: "id",
  started: "2026-11-17T00:21:16.066Z",
  ended: "2026-11-17T00:21:17.215Z",
  durationMs: 1149,
  outcome: "changed",
  counts: { ...emptyCounts(), added: 1200, updated: 3000, tests: 1, warnings: 1 },
  updates: { ...noUpdates(), supply: 2900, texts: 150 },
  revisionBefore: undefined,
  revisionAfter: "1".repeat(32),
  feedCount: 2,
  feeds: [
    {
      number: 1,
      name: HOSTILE,
      sha256: undefined,
      bytes: 1,
      sender: HOSTILE,
      sent: HOSTILE,
      messageNumber: HOSTILE,
    },
  ],
  state: 3,
  undoes: undefined,
  undoneBy: undefined,
  isUndoKept: true,
  complaintCount: 5,
  quality: undefined,
  complaintGroupCount: 1,
  complaintGroups: [
    {
      severity: "rejected",
      kind: "no-isbn",
      text: HOSTILE,
      advice: "Send it.",
      count: 4,
      examples: [{ reference: HOSTILE, file: HOSTILE, line: 3 }],
    },
  ],
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be printed.
const UNSAFE = /[\u0000-\u0009\u000b-\u001f\u202e]/;

test("a table has one line of bounded length for each import", () => {
  const table = historyTable([run, { ...run, number: 12, outcome: "failed", message: HOSTILE }]);
  const lines = table.split("\n");
  expect(lines).toHaveLength(3);
  expect(lines[1]).toMatch(
    /^ {5}3 {2}2026-11-17 00:21:17Z {2}1\.1 s +changed +1,200 added, 3,000 updated, 1 test, 1 warning .*and 1 more$/,
  );
  for (const line of lines) expect([UNSAFE.test(line), line.length < 220]).toEqual([false, true]);
});

test("an import is printed safely, with what is not listed", () => {
  const text = importText(run);
  expect(text).not.toMatch(UNSAFE);
  expect(text).toContain(
    "1,200 added, 3,000 updated (2,900 prices and stock, 150 texts), 1 test, 1 warning\n",
  );
  expect(text).toContain("revision before  unknown");
  expect(text).toContain("2 feeds:");
  expect(text).toContain("was not read to its end");
  expect(text).toContain("and 1 more");
  expect(text).toContain("5 complaints, 1 of them in groups that are not kept:");
  expect(text).toContain("  4 × rejected, no-isbn: \\u001b[2J");
  for (const line of text.split("\n")) expect(line.length).toBeLessThan(400);
});

test("books that --replace has removed are not among the deleted ones", () => {
  expect(countsText({ counts: { ...emptyCounts(), deleted: 7, removed: 5 } })).toBe("2 deleted, 5 removed");
  expect(countsText({ counts: { ...emptyCounts(), deleted: 5, removed: 5 } })).toBe("5 removed");
});
