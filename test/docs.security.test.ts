/** docs/security.md promises nothing that no test shows. */
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const text = readFileSync(join(root, "docs/security.md"), "utf8");

/** `file` *name of the test* */
const NAMED = /`((?:src|test)\/[\w./-]+\.test\.ts)` \*([^*]+)\*/g;
const named = [...text.matchAll(NAMED)].map(([, file = "", name = ""]) => [file, name] as const);

/** The names of tests, of groups, and of the rows of tables of them, as they stand in the source. */
function titlesIn(source: string): Set<string> {
  const titles = new Set<string>();
  for (const [, , quoted = ""] of source.matchAll(/(["'`])((?:\\.|(?!\1)[^\\\n])+)\1/g)) {
    titles.add(quoted.replace(/\\(["'`])/g, "$1"));
  }
  return titles;
}

describe("docs/security.md", () => {
  test("names many tests", () => {
    expect(named.length).toBeGreaterThan(80);
    // Where a path is named without a test, or a test without a path, it is by mistake.
    const paths = text.match(/`(?:src|test)\/[\w./-]+\.test\.ts`/g) ?? [];
    const alone = paths.filter((path) => /vectors\.test|docs\.security/.test(path));
    expect(paths.length - alone.length).toBe(named.length);
  });

  const byFile = Map.groupBy(named, ([file]) => file);
  test.each([...byFile.keys()])("names tests that are there: %s", (file) => {
    expect(existsSync(join(root, file))).toBe(true);
    const titles = titlesIn(readFileSync(join(root, file), "utf8"));
    expect(byFile.get(file)!.filter(([, name]) => !titles.has(name))).toEqual([]);
  });

  test("has a test for every row of its tables, or says that there is none", () => {
    const rows = text
      .split("\n")
      .filter((line) => /^\| [^|]*[^|\s-]/.test(line) && !line.includes("Shown by"));
    expect(rows.length).toBeGreaterThan(45);
    const unfounded = rows.filter(
      (row) => !row.match(NAMED) && !/\*\*(Not defended|Does not apply)/.test(row),
    );
    expect(unfounded).toEqual([]);
  });

  test("leaves out no clause", () => {
    for (let number = 1; number <= 10; number++) expect(text).toContain(`| API${number} `);
    for (let clause = 1; clause <= 12; clause++) expect(text).toContain(`| 3.${clause} `);
    for (const clause of ["2 ", "2.1", "2.2", "2.3", "3 ", "3.1", "5.2", "5.3"])
      expect(text).toContain(`| ${clause}`);
  });
});
