/** Checks that the documentation names only files that exist, and has the parameters and code lists of the program. */
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { PAGE_PATH, withCodedFields } from "../scripts/coded-fields.ts";
import { DEFAULT_CHANGES } from "../src/api/changes/endpoint.ts";
import { ROUTES } from "../src/api/routes.ts";
import { KEEP_DELETIONS_DAYS } from "../src/catalog/changes/change-history.ts";
import { codeLists } from "../src/onix/code-lists.ts";

const root = join(import.meta.dir, "..");
const PAGES = ["*.md", "docs/*.md", "examples/*.md", "src/**/*.md"]
  .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(root)])
  .sort();

/** Paths of the repository in prose, code and diagrams, such as `src/api/app.ts` or `test/faults/`. */
const PATH = /(?<![\w/.-])(?:src|test|bench|scripts|examples|sample|bin|docs)\/[\w./*<>{},-]*[\w/*>}]/g;
/** Targets of links and images; web addresses are not followed. */
const LINK = /\]\((?!https?:)([^)\s]+)\)/g;
const SCRIPT = /npm run (?:--silent )?([\w:]+)/g;

describe.each(PAGES)("%s", (page) => {
  const text = readFileSync(join(root, page), "utf8");

  test("names paths that exist", () => {
    const paths = new Set([...text.matchAll(PATH)].map(([path]) => path));
    expect([...paths].filter((path) => !pathExists(path))).toEqual([]);
  });

  test("links to files and headings that exist", () => {
    const targets = [...text.matchAll(LINK)].map(([, target = ""]) => target);
    expect(targets.filter((target) => !linkWorks(page, target))).toEqual([]);
  });

  test("names scripts of package.json", () => {
    const scripts = new Set([...text.matchAll(SCRIPT)].map(([, name = ""]) => name));
    expect([...scripts].filter((name) => !Object.hasOwn(packageJson.scripts, name))).toEqual([]);
  });
});

test("the pages name many paths", () => {
  expect(PAGES).toContain("docs/architecture.md");
  const all = PAGES.flatMap((page) => readFileSync(join(root, page), "utf8").match(PATH) ?? []);
  expect(all.length).toBeGreaterThan(150);
});

/** `<name>` and `*` stand for any name. */
function pathExists(path: string): boolean {
  if (!/[<*{]/.test(path)) return existsSync(join(root, path));
  const pattern = path.replace(/<[^>]+>/g, "*").replace(/\/$/, "/*");
  return !new Bun.Glob(pattern).scanSync({ cwd: root, onlyFiles: false }).next().done;
}

function linkWorks(page: string, target: string): boolean {
  const [path = "", heading] = target.split("#");
  const file = path === "" ? join(root, page) : join(root, dirname(page), path);
  if (!existsSync(file)) return false;
  return heading === undefined || headingsOf(readFileSync(file, "utf8")).includes(heading);
}

/** The anchors that GitHub gives to headings. */
function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test("docs/changes.md has the parameters of the endpoint, and its defaults", () => {
  const page = readFileSync(join(root, "docs/changes.md"), "utf8");
  const { parameters } = ROUTES.find(({ id }) => id === "getChanges")!;
  const table = page.slice(0, page.indexOf("| Member |"));
  const named = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(named).toEqual(Object.keys(parameters));
  expect(table).toContain(`Default: ${DEFAULT_CHANGES}.`);
  expect(page).toContain(`remembers deletions for ${KEEP_DELETIONS_DAYS} days`);
});

const recordPage = readFileSync(PAGE_PATH, "utf8");

test("docs/record.md has the list of coded fields that scripts/coded-fields.ts writes", () => {
  expect(withCodedFields(recordPage)).toBe(recordPage);
});

test("docs/record.md has a field for every category of the translation table", () => {
  const categories = new Set(Array.from(recordPage.matchAll(/^- \d+ `(\w+)`: .+$/gm), ([, name]) => name!));
  expect([...categories].sort()).toEqual(Object.keys(codeLists).sort());
});
