import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TempFolder } from "../../../stores/sqlite/testing/folder.ts";
import { fileFeed, freeTarget, isReportComplete, prepareFolders, reportPath } from "./filing.ts";

test("moves a feed beside others of its name, and its report with it, and overwrites nothing", () => {
  using temp = new TempFolder();
  const folder = temp.path;
  const file = { folder, path: join(folder, "a.xml.gz") };
  prepareFolders(folder);
  writeFileSync(join(folder, "done", "a.xml.gz"), "first");
  writeFileSync(join(folder, "done", "a.2.xml.gz.report.json"), "a report without its feed");
  writeFileSync(file.path, "third");
  writeFileSync(reportPath(folder, "id"), "its report");
  const target = freeTarget(file, "unchanged");
  expect(target).toBe("a.3.xml.gz");
  const paths = fileFeed(file, "id", "unchanged", target, true);
  expect(readFileSync(paths.feed, "utf8")).toBe("third");
  expect(readFileSync(paths.report, "utf8")).toBe("its report");
  expect(readFileSync(join(folder, "done", "a.xml.gz"), "utf8")).toBe("first");
  expect(readdirSync(folder).sort()).toEqual(["done", "refused"]);
  // After a crash between both steps, the rest is done again.
  expect(fileFeed(file, "id", "unchanged", target, false)).toEqual(paths);
  expect(existsSync(paths.feed)).toBe(true);
});

test.each([
  ["a link", (path: string) => symlinkSync("/tmp", path)],
  ["a link to nothing", (path: string) => symlinkSync("/nothing", path)],
  ["a file", (path: string) => writeFileSync(path, "")],
])("refuses %s in place of the folder for feeds that were taken", (_, put) => {
  using temp = new TempFolder();
  put(join(temp.path, "done"));
  expect(() => prepareFolders(temp.path)).toThrow(
    "done is not a folder, so that feeds cannot be moved to it",
  );
});

test("tells a complete report from one that was cut off", () => {
  using temp = new TempFolder();
  mkdirSync(join(temp.path, "done"));
  const complete = '{\n"complaints": [\n{"text":"a\\n}\\n"}\n],\n"applied": true\n}\n';
  for (let length = 0; length <= complete.length; length++) {
    writeFileSync(reportPath(temp.path, "id"), complete.slice(0, length));
    expect(isReportComplete(temp.path, "id")).toBe(length === complete.length);
  }
  expect(isReportComplete(temp.path, "other")).toBe(false);
});
