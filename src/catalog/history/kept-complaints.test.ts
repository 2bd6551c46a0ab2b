import { expect, test } from "bun:test";
import type { Isbn13 } from "../../onix/isbn.ts";
import type { ReportedComplaint } from "../report.ts";
import { blocksFrom, changedBlocks, joinBlocks } from "./changed-blocks.ts";
import { feedName, headerFields } from "./import-details.ts";
import { ComplaintCollector, MAX_COMPLAINT_BYTES } from "./kept-complaints.ts";

const complaint = (fields: Partial<ReportedComplaint>): ReportedComplaint => ({
  severity: "warning",
  kind: "unknown-code",
  file: "/srv/feeds/a.xml",
  line: 1,
  column: 1,
  reference: "r",
  isbn: "9789999901116" as Isbn13,
  text: "The code is unknown.",
  advice: "Use a code of the list.",
  ...fields,
});
const nameOf = (file: string) => feedName("/srv/feeds/a.xml", file);

test("keeps a bounded number of bytes of any complaints, rejections first, and counts all", () => {
  const collector = new ComplaintCollector();
  for (let count = 0; count < 20_000; count++) {
    const text = `\u001b\0${"ä".repeat(1_000_000 * Number(count % 5000 === 0))} ${count}`;
    collector.add(complaint({ value: `code ${count % 1000}`, text, file: `${"x".repeat(5000)}${count}` }));
  }
  collector.add(complaint({ severity: "rejected", kind: "no-isbn", isbn: undefined, line: 7 }));
  const { total, groups } = collector.kept(nameOf);
  expect(total).toBe(20_001);
  expect(groups[0]).toMatchObject({ severity: "rejected", examples: [{ reference: "r", line: 7 }] });
  expect(Buffer.byteLength(JSON.stringify(groups))).toBeLessThanOrEqual(MAX_COMPLAINT_BYTES + 2);
  expect(groups.length).toBeGreaterThan(20);
  for (const { text, examples } of groups) {
    expect([text.length <= 300, text.includes("\0")]).toEqual([true, false]);
    expect(examples.every(({ file }) => file.length <= 120)).toBe(true);
  }
});

test("keeps 20 places of a group", () => {
  const collector = new ComplaintCollector();
  for (let line = 1; line <= 50; line++) collector.add(complaint({ line }));
  const [group] = collector.kept(nameOf).groups;
  expect(group).toMatchObject({ count: 50, text: "The code is unknown." });
  expect(group!.examples).toHaveLength(20);
  expect(group!.examples[19]).toEqual({ isbn: "9789999901116" as Isbn13, file: "a.xml", line: 20 });
});

test("feeds are named without their folder, and everything is cut", () => {
  expect(feedName("/srv/in/a.zip", "/srv/in/a.zip/b/c.xml")).toBe("a.zip/b/c.xml");
  expect(feedName("a.xml", "a.xml")).toBe("a.xml");
  expect(feedName("standard input", "standard input")).toBe("standard input");
  expect(feedName("/a.xml", `/a.xml/${"x".repeat(1000)}`)).toHaveLength(255);
  const sender = { key: "k", name: `\0${"x".repeat(1e6)}\ud800` };
  const fields = headerFields({ sender, sent: undefined, messageNumber: "1".repeat(1000) });
  expect([fields.sender!.length, fields.sender![0]]).toEqual([255, "\ufffd"]);
  expect([fields.sent, fields.messageNumber!.length]).toEqual([undefined, 40]);
});

test("names the elements that differ, and none for a record that is damaged", () => {
  const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
  expect(changedBlocks(bytes({ A: 1, B: [{ C: "}" }] }), bytes({ A: 1, B: [{ C: "}," }], D: 0 }))).toBe(
    "B D",
  );
  expect(changedBlocks(bytes({ A: 1, B: 1 }), bytes({ B: 1 }))).toBe("A");
  expect(changedBlocks(Buffer.from("{}"), bytes({ A: 1 }))).toBeNull();
  expect(joinBlocks("A B", "B C")).toBe("A B C");
  expect(joinBlocks(null, "A")).toBeNull();
  expect(blocksFrom("A B A")).toEqual(["A", "B"]);
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`Element${index}`, 1]));
  expect(changedBlocks(bytes({ A: 1 }), bytes(many))!.length).toBeLessThanOrEqual(500);
});
