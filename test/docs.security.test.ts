/** docs/security.md: each claim names a test, and each named test exists. */
import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./process.ts";

const root = join(import.meta.dir, "..");
const text = readFileSync(join(root, "docs/security.md"), "utf8");

/** `file` *title of the test* */
const CITATION = /`((?:src|test)\/[\w./-]+\.test\.ts)` \*([^*]+)\*/g;
const citations = [...text.matchAll(CITATION)].map(([, file = "", title = ""]) => ({ file, title }));
const byFile = Map.groupBy(citations, ({ file }) => file);

/**
 * Returns the titles of all tests and groups, by file, as the test runner knows them. It loads the files with a filter
 * that no title matches, so that nothing runs and every test is reported as skipped.
 */
async function listTitles(files: readonly string[]): Promise<Map<string, Set<string>>> {
  const folder = temporaryFolder();
  const report = join(folder, "titles.xml");
  const temporary = join(folder, "tmp");
  mkdirSync(temporary);
  const filter = ["--test-name-pattern", crypto.randomUUID()];
  const reporter = ["--reporter", "junit", "--reporter-outfile", report];
  const paths = files.map((file) => `./${file}`);
  const env = { PATH: process.env.PATH, TMPDIR: temporary, CI: process.env.CI };
  const command = [process.execPath, "test", ...filter, ...reporter, ...paths];
  await Bun.spawn(command, { cwd: root, env, stdout: "ignore", stderr: "ignore" }).exited;
  const titles = new Map(files.map((file) => [file, new Set<string>()]));
  const entries = readFileSync(report, "utf8").matchAll(
    /<test(?:case|suite) name="([^"]*)"[^>]* file="([^"]*)"/g,
  );
  for (const [, title = "", file = ""] of entries) titles.get(file)?.add(unescapeXml(title));
  return titles;
}

function unescapeXml(escaped: string): string {
  const characters: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return escaped.replace(/&(\w+);/g, (reference, name) => characters[name] ?? reference);
}

/** A parameter in a title of `test.each`. */
const PARAMETER = /%[dijops]/;

/** Returns whether a test has the title, with any parameter. */
function hasTitle(titles: ReadonlySet<string>, cited: string): boolean {
  if (!PARAMETER.test(cited)) return titles.has(cited);
  const pattern = new RegExp(`^${cited.split(PARAMETER).map(RegExp.escape).join("[^]+")}$`);
  return [...titles].some((title) => pattern.test(title));
}

describe("docs/security.md", () => {
  test("names many tests, each with its file", () => {
    expect(citations.length).toBeGreaterThan(80);
    const paths = text.match(/`(?:src|test)\/[\w./-]+\.test\.ts`/g) ?? [];
    const withoutTitle = paths.filter((path) => /vectors\.test|docs\.security/.test(path));
    expect(paths.length - withoutTitle.length).toBe(citations.length);
  });

  describe("names existing tests", () => {
    let titles: Map<string, Set<string>>;
    beforeAll(async () => {
      titles = await listTitles([...byFile.keys()].filter((file) => existsSync(join(root, file))));
    });

    test.each([...byFile.keys()])("in %s", (file) => {
      expect(existsSync(join(root, file))).toBe(true);
      const cited = byFile.get(file)!.map(({ title }) => title);
      expect(cited.filter((title) => !hasTitle(titles.get(file)!, title))).toEqual([]);
    });

    test("and an invented title is noticed", () => {
      const [file = ""] = byFile.keys();
      expect(titles.get(file)!.size).toBeGreaterThan(0);
      expect(hasTitle(titles.get(file)!, "an invented title")).toBe(false);
      // A quoted text of the file that is no title.
      expect(hasTitle(titles.get("test/request-attacks.test.ts")!, "Content-Length: 5")).toBe(false);
    });
  });

  test("has a test for every row of its tables, or says that there is none", () => {
    const rows = text
      .split("\n")
      .filter((line) => /^\| [^|]*[^|\s-]/.test(line) && !line.includes("Shown by"));
    expect(rows.length).toBeGreaterThan(45);
    const unproven = rows.filter(
      (row) => !row.match(CITATION) && !/\*\*(Not defended|Does not apply)/.test(row),
    );
    expect(unproven).toEqual([]);
  });

  test("covers every clause of the guides that it follows", () => {
    for (let number = 1; number <= 10; number++) expect(text).toContain(`| API${number} `);
    for (let clause = 1; clause <= 12; clause++) expect(text).toContain(`| 3.${clause} `);
    for (const clause of ["2 ", "2.1", "2.2", "2.3", "3 ", "3.1", "5.2", "5.3"])
      expect(text).toContain(`| ${clause}`);
  });
});
