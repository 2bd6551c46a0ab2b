/** The layout of src: imports point down, there are no cycles, and folders stay small. */
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { NEEDING_MORE } from "../scripts/test.ts";

const ROOT = join(import.meta.dir, "..");

/**
 * What each folder may import, beside itself. `web` is data to `api`: its types only. `client` has the rules that are
 * applied where a summary is read.
 */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  client: [],
  feed: ["lib"],
  xml: ["feed", "lib"],
  onix: ["client", "xml", "feed", "lib"],
  catalog: ["client", "onix", "xml", "feed", "lib"],
  stores: ["catalog", "onix", "lib"],
  ingest: ["catalog", "onix", "feed", "lib", "xml"],
  server: ["lib"],
  web: ["lib", "client", "onix"],
  telemetry: ["catalog", "lib"],
  api: ["server", "web", "catalog", "onix", "lib"],
  cli: ["api", "web", "ingest", "stores", "telemetry", "server", "catalog", "onix", "feed", "lib"],
};

/** Tests, and their helpers, may also use a real store. */
const ALLOWED_IN_TESTS: Readonly<Record<string, readonly string[]>> = {
  api: ["stores"],
  ingest: ["stores"],
  telemetry: ["stores"],
  web: ["catalog"],
};

const MAX_FILES_IN_A_FOLDER = 16;

const files = [...new Bun.Glob("src/**/*.{ts,tsx,js}").scanSync({ cwd: ROOT })].sort();
const isTest = (file: string) => /\.(test|program)\.ts$|\/testing\/|^src\/stores\/contract\//.test(file);
const folderOf = (file: string) => file.split("/")[1]!;

const SPECIFIER = /\b(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g;
/** The modules of threads, which are found by their paths from the root. */
const THREAD = /\bthreadModule\(\s*["']([^"']+)["']/g;

/** The files that a file imports, by type or by value. */
function importsOf(file: string): string[] {
  const source = readFileSync(join(ROOT, file), "utf8");
  const imported = [...source.matchAll(SPECIFIER)].map(([, path]) => normalize(join(dirname(file), path!)));
  return [...imported, ...[...source.matchAll(THREAD)].map(([, path]) => path!)];
}

const imports = new Map(files.map((file) => [file, importsOf(file)]));

test("finds the source files", () => {
  expect(files.length).toBeGreaterThan(150);
  expect([...imports.values()].flat().length).toBeGreaterThan(500);
});

test("every folder of src has its rule", () => {
  expect([...new Set(files.map(folderOf))].sort()).toEqual(Object.keys(ALLOWED).sort());
});

test("every relative import exists", () => {
  const missing = [...imports].flatMap(([file, targets]) =>
    targets.filter((target) => !existsSync(join(ROOT, target))).map((target) => `${file} -> ${target}`),
  );
  expect(missing).toEqual([]);
});

describe.each(Object.keys(ALLOWED))("src/%s", (folder) => {
  test("imports only what is below it", () => {
    const forbidden: string[] = [];
    for (const file of files.filter((file) => folderOf(file) === folder)) {
      const allowed = [
        folder,
        ...ALLOWED[folder]!,
        ...(isTest(file) ? (ALLOWED_IN_TESTS[folder] ?? []) : []),
      ];
      for (const target of imports.get(file)!) {
        if (target === "package.json") continue;
        if (!target.startsWith("src/") || !allowed.includes(folderOf(target)))
          forbidden.push(`${file} -> ${target}`);
      }
    }
    expect(forbidden).toEqual([]);
  });
});

test("finds files and threads through src/lib/program-files.ts only, so that they are found in the executable too", () => {
  // The app runs in a browser, where a module's URL is that of a request.
  const elsewhere = files
    .filter((file) => !isTest(file) && !/^src\/(lib\/program-files\.ts|web\/app\/)/.test(file))
    .filter((file) =>
      /\bimport\.meta\.(dir|url|path|resolve|main)|\bnew Worker\((?!threadModule\()|\bresolveSync\(|\bexecPath\b/.test(
        readFileSync(join(ROOT, file), "utf8"),
      ),
    );
  expect(elsewhere).toEqual([]);
});

test("no test helper is imported by production code", () => {
  const wrong = [...imports]
    .filter(([file]) => !isTest(file))
    .flatMap(([file, targets]) => targets.filter(isTest).map((target) => `${file} -> ${target}`));
  expect(wrong).toEqual([]);
});

test("a test that needs PostgreSQL, a browser, a proxy or a container has a path that says so", () => {
  const needs = /\/postgres\/testing\/|^playwright-core$|\/browser\.ts$|\/(example-proxy|path-proxies)\.ts$/;
  const quick = [...new Bun.Glob("{src,test,bench}/**/*.test.ts").scanSync({ cwd: ROOT })].filter(
    (file) => !NEEDING_MORE.some((pattern) => new Bun.Glob(pattern).match(file)),
  );
  expect(quick.length).toBeGreaterThan(200);
  const wrong = quick.filter((file) => {
    const source = readFileSync(join(ROOT, file), "utf8");
    // Suites on several engines, and tests that `npm test` skips.
    if (source.includes("isPostgresLeftOut")) return false;
    return [...source.matchAll(/\bfrom "([^"]+)"/g)].some(([, path]) => needs.test(path!));
  });
  expect(wrong).toEqual([]);
});

test("no file imports itself through others, not even for a type", () => {
  const done = new Set<string>();
  const cycles: string[] = [];
  function visit(file: string, path: readonly string[]): void {
    const start = path.indexOf(file);
    if (start >= 0) {
      cycles.push([...path.slice(start), file].map((one) => relative("src", one)).join(" -> "));
      return;
    }
    if (done.has(file)) return;
    for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  }
  for (const file of files) visit(file, []);
  expect(cycles).toEqual([]);
});

test(`no folder has more than ${MAX_FILES_IN_A_FOLDER} production files`, () => {
  const counts = new Map<string, number>();
  for (const file of files) {
    if (!isTest(file)) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  }
  expect([...counts].filter(([, count]) => count > MAX_FILES_IN_A_FOLDER)).toEqual([]);
});
