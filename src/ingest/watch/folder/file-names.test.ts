import { describe, expect, test } from "bun:test";
import { isFeedFolder, isUnfinishedName, numberedName } from "./file-names.ts";

describe("isUnfinishedName", () => {
  test.each([
    [".feed.xml.Xa81Bq", "rsync"],
    [".in.feed.xml.", "ProFTPD"],
    ["feed.xml.part", "many programs"],
    ["feed.xml.PART", "many programs"],
    ["feed.xml.filepart", "WinSCP"],
    ["feed.xml.tmp", "many programs"],
    ["feed.xml~", "editors"],
    [".colophon-watch", "the journal"],
  ])("returns true for %s of %s", (name) => {
    expect(isUnfinishedName(name)).toBe(true);
  });

  test.each(["feed.xml", "feed.part.xml", "tmp.zip", "part", "feed"])("returns false for %s", (name) => {
    expect(isUnfinishedName(name)).toBe(false);
  });
});

test("feeds that were taken, and hidden folders, are no feed folders", () => {
  expect(["done", "refused", ".snapshot", "penguin"].filter(isFeedFolder)).toEqual(["penguin"]);
});

test.each([
  ["a.xml", "a.2.xml"],
  ["a.xml.gz", "a.2.xml.gz"],
  ["2024.01.15.zip", "2024.01.15.2.zip"],
  ["feed", "feed.2"],
])("the number of %s stands before the extensions", (name, numbered) => {
  expect(numberedName(name, 2)).toBe(numbered);
});
