import { describe, expect, test } from "bun:test";
import { ComplaintGroups, MAX_GROUPS } from "./complaint-groups.ts";
import { complaint } from "./testing/complaints.ts";

function groupsOf(...complaints: readonly Parameters<typeof complaint>[0][]): ComplaintGroups {
  const groups = new ComplaintGroups();
  for (const members of complaints) groups.add(complaint(members));
  return groups;
}

describe("ComplaintGroups", () => {
  test("groups by kind, element and code", () => {
    const code = { kind: "unknown-code", element: "ProductForm" } as const;
    const groups = groupsOf(
      { ...code, value: "QQ" },
      { ...code, value: "XX" },
      { ...code, value: "QQ" },
    ).sorted();
    expect(groups.map((group) => [group.element, group.code, group.count])).toEqual([
      ["ProductForm", "QQ", 2],
      ["ProductForm", "XX", 1],
    ]);
  });

  test("groups values that are data by their element", () => {
    const groups = groupsOf(
      { element: "PriceAmount", value: "9,90" },
      { element: "PriceAmount", value: "8,90" },
    );
    expect(groups.sorted()).toMatchObject([{ element: "PriceAmount", code: undefined, count: 2 }]);
  });

  test("keeps the first three places", () => {
    const [group] = groupsOf(...[1, 2, 3, 4, 5].map((line) => ({ line }))).sorted();
    expect(group!.count).toBe(5);
    expect(group!.first.map(({ line }) => line)).toEqual([1, 2, 3]);
  });

  test("has a text only when all complaints say the same, also those whose places are not kept", () => {
    const texts = ["A.", "A.", "A.", "A."];
    expect(groupsOf(...texts.map((text) => ({ text }))).sorted()[0]!.text).toBe("A.");
    expect(groupsOf(...[...texts, "B.", "A."].map((text) => ({ text }))).sorted()[0]!.text).toBeUndefined();
  });

  test("puts rejections first, then the most frequent", () => {
    const groups = groupsOf(
      { kind: "incomplete", value: "cover" },
      { kind: "bad-date" },
      { kind: "bad-date" },
      { kind: "no-isbn", severity: "rejected" },
    );
    expect(groups.sorted().map(({ kind }) => kind)).toEqual(["no-isbn", "bad-date", "incomplete"]);
  });

  test("counts complaints beyond the limit of groups together", () => {
    const groups = new ComplaintGroups();
    for (let index = 0; index < MAX_GROUPS + 5; index++) {
      groups.add(complaint({ kind: "unknown-element", element: `Element${index}` }));
    }
    groups.add(complaint({ kind: "unknown-element", element: "Element0" }));
    expect([groups.sorted().length, groups.ungrouped, groups.total]).toEqual([MAX_GROUPS, 5, MAX_GROUPS + 6]);
  });

  test("cuts long texts", () => {
    const [group] = groupsOf({
      kind: "unknown-code",
      value: "x".repeat(10_000),
      text: "y".repeat(10_000),
    }).sorted();
    expect(group!.code!.length).toBeLessThan(600);
    expect(group!.first[0]!.text.length).toBeLessThan(600);
  });
});
