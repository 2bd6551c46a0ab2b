import { describe, expect, test } from "bun:test";
import { mkdirSync, rmdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TempFolder } from "../../../stores/sqlite/testing/folder.ts";
import { FolderProblem } from "./folder-problem.ts";
import { isFeedFolder, isUnfinishedName, numberedName, REPORT_SUFFIX, scanFolder } from "./folder-scan.ts";

test("lists regular files of the folder and its subfolders only", async () => {
  using folder = new TempFolder();
  const put = (...path: string[]) => writeFileSync(join(folder.path, ...path), "x");
  for (const name of ["sender", "done", "refused", ".hidden", "sender/done", "sender/deep"]) {
    mkdirSync(join(folder.path, name));
  }
  put("a.xml");
  put("b.xml.part");
  put("sender", "c.xml");
  put("done", "d.xml");
  put("refused", "e.xml");
  put(".hidden", "f.xml");
  put("sender", "done", "g.xml");
  put("sender", "deep", "h.xml");
  symlinkSync("/etc/passwd", join(folder.path, "link.xml"));
  symlinkSync("/etc", join(folder.path, "folder"));
  expect(Bun.spawnSync(["mkfifo", join(folder.path, "pipe.xml")]).exitCode).toBe(0);
  const { files, unfinished, problems } = await scanFolder(folder.path);
  expect(files.map(({ name }) => name).sort()).toEqual(["a.xml", "sender/c.xml"]);
  expect(unfinished.map(({ name }) => name)).toEqual(["b.xml.part"]);
  expect(problems).toEqual([]);
});

test("names a file and a subfolder whose names are not UTF-8", async () => {
  using folder = new TempFolder();
  const name = (end: string) =>
    Buffer.concat([Buffer.from(`${folder.path}/espa`), Buffer.from([0xf1]), Buffer.from(end)]);
  writeFileSync(name("a.xml"), "x");
  mkdirSync(name("oles"));
  const { problems } = await scanFolder(folder.path);
  const problem = expect.stringContaining("its name is not UTF-8; rename it.");
  expect(problems).toEqual([problem, problem]);
});

test("names a file whose report would have a longer name than file systems allow", async () => {
  using folder = new TempFolder();
  const longest = `${"é".repeat(118)}.xml`;
  for (const name of [longest, `x${longest}`]) writeFileSync(join(folder.path, name), "x");
  const { files, problems } = await scanFolder(folder.path);
  expect(files.map(({ name }) => name)).toEqual([longest]);
  expect(problems).toEqual([expect.stringContaining("longer than 240 bytes; rename it.")]);
  writeFileSync(join(folder.path, `${numberedName(longest, 99)}${REPORT_SUFFIX}`), "x");
});

test("a subfolder that is removed during the scan is no problem", async () => {
  using folder = new TempFolder();
  for (let number = 0; number < 300; number++) writeFileSync(join(folder.path, `${number}.xml`), "");
  const subfolder = join(folder.path, "sender");
  // The files are read before the subfolder, which is removed earlier or later meanwhile.
  for (let delayMs = 0; delayMs < 20; delayMs++) {
    mkdirSync(subfolder);
    const scan = scanFolder(folder.path);
    await Bun.sleep(delayMs);
    rmdirSync(subfolder);
    expect((await scan).problems).toEqual([]);
  }
});

test("throws a problem for a folder that is not there", async () => {
  using folder = new TempFolder();
  const scan = scanFolder(join(folder.path, "missing"));
  expect(scan).rejects.toThrow(FolderProblem);
  expect(scan).rejects.toThrow("missing does not exist; create it, or name another folder.");
});

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
