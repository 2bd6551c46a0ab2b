/** The client against the real service, in Bun and Node. `test/web/other-pages.test.ts` runs it in Chromium. */
import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { duringTests } from "../during-tests.ts";
import { startWithSample, temporaryFolder } from "../process.ts";
import { bundle } from "./bundle.ts";
import { type ScenarioResult, scenario } from "./scenario.ts";

const ROOT = join(import.meta.dir, "../..");
const MAX_GZIP_BYTES = 10_000;

const PROGRAM = [
  'import { type Book, Colophon, title } from "colophon/client";',
  'const catalog = new Colophon({ url: "http://127.0.0.1/", token: "t" });',
  'const book: Book | undefined = await catalog.book("9789999923019");',
  "if (book) title(book).trim();",
  'const summaries = await catalog.imprint("x", { view: "summary" }).toArray();',
  "const amount: string | null | undefined = summaries[0]?.prices[0]?.amount;",
  "const supply = book?.ProductSupply?.[0]?.SupplyDetail?.[0];",
  "const price: string | undefined = supply?.Price?.[0]?.PriceAmount;",
  "const resource = book?.CollateralDetail?.SupportingResource?.[0];",
  "const link: string | undefined = resource?.ResourceVersion?.[0]?.ResourceLink?.[0];",
  "const day: string | undefined = book?.PublishingDetail?.PublishingDate?.[0]?.Date;",
  'const part = await catalog.search({ language: ["spa", "cat"], fields: ["isbn", "form"], labels: "eng" }).first();',
  "const label: string | null | undefined = part.items[0]?.formLabel;",
  'const hits = await catalog.search({ q: "mar", highlight: true }).first();',
  "const range: readonly [number, number] | undefined = hits.items[0]?.highlights[0]?.ranges[0];",
  "const typed: { q?: string; language?: string[] } = {};",
  "const wish = { q: typed.q, language: typed.language, limit: undefined, cursor: undefined };",
  'const marks: { labels: "eng" | undefined; highlight: true | undefined } = { labels: undefined, highlight: undefined };',
  "const marked = await catalog.search({ ...wish, ...marks }).first();",
  "await Promise.all([catalog.search({ ...wish, fields: undefined }).first(), catalog.facets(wish)]);",
  'const described = book && (await catalog.describe(book, "spa"));',
  "const form: string | null | undefined = described?.DescriptiveDetail?.ProductForm?.label;",
  "export { amount, day, form, label, link, price, range, summaries };",
];
/** Wrong uses, and a part of the error of each. */
const WRONG = {
  "const wrong: number = summaries[0]!.title;": "TS2322",
  "part.items[0]!.title;": "'title' does not exist",
  "part.items[0]!.languageLabels;": "'languageLabels' does not exist",
  "summaries[0]!.formLabel;": "'formLabel' does not exist",
  "marked.items[0]!.highlights;": "'highlights' does not exist",
  'await catalog.search({ fields: ["author"] }).first();': "'\"author\"' is not assignable",
  "described!.DescriptiveDetail!.ProductForm!.trim();": "'trim' does not exist",
};
const COMPILER_OPTIONS = [
  ..."--noEmit --ignoreConfig --strict --exactOptionalPropertyTypes --target es2022 --module nodenext --lib es2023,dom".split(
    " ",
  ),
  "--types",
  "",
];

const folder = temporaryFolder();
let expected: ScenarioResult;

const server = duringTests(() => startWithSample(join(folder, "catalog.db")));
beforeAll(async () => {
  expected = await scenario(server.url, server.token!);
});

test("reads every list of the sample catalog in Bun", () => {
  expect(expected.isbns).toBeGreaterThan(20);
  expect(expected.imprints).toBeGreaterThan(3);
  expect(expected.imprint).toHaveLength(Number(expected.totalOfImprint));
  expect(expected.imprint.length).toBeGreaterThan(2);
  expect(expected.news).toBeGreaterThan(5);
  expect(expected.requested).toHaveLength(expected.isbns + 1);
  expect(expected.requested.at(-1)).toBe(expected.requested[0]!);
  expect(expected).toMatchObject({ absent: true, status: 401, hasRequestId: true, ended: "enough" });
});

test("title(book) is the title of the summary for every book of the sample", () => {
  expect(expected.titles).toEqual(expected.titlesOfSummaries.map((title) => title ?? ""));
});

test("label returns words for a code, and wants a category for a code that several lists have", () => {
  expect(expected.label).toBe("Tapa blanda o Bolsillo");
  expect(expected.ambiguous).toContain("give the category");
});

test("changes list every book, and nothing after the last cursor", () => {
  expect(expected).toMatchObject({ changes: expected.isbns, rest: 0 });
});

test("does the same in Node", async () => {
  const program = join(folder, "scenario.mjs");
  writeFileSync(program, await bundle("test/client/scenario.ts"));
  const run = `import(${JSON.stringify(program)}).then(async ({ scenario }) =>
    console.log(JSON.stringify(await scenario(process.argv[1], process.argv[2]))))`;
  const child = Bun.spawn(["node", "-e", run, server.url, server.token!], { stderr: "inherit" });
  const result = await new Response(child.stdout).text();
  expect(JSON.parse(result)).toEqual(JSON.parse(JSON.stringify(expected)));
});

test("takes at most 10 kB, compressed with gzip, and imports nothing", async () => {
  const code = await bundle("src/client/index.ts");
  expect(Bun.gzipSync(Buffer.from(code)).length).toBeLessThan(MAX_GZIP_BYTES);
  expect(code).not.toMatch(/\bfrom\s*["']|require\(/);
  for (const file of new Bun.Glob("src/client/**/*.ts").scanSync({ cwd: ROOT })) {
    if (file.endsWith(".test.ts")) continue;
    for (const [, specifier] of readFileSync(join(ROOT, file), "utf8").matchAll(/from "([^"]+)"/g))
      expect(specifier).toMatch(/^\.\/(generated\/)?[a-z-]+\.ts$/);
  }
});

describe("the package", () => {
  const packageFolder = join(folder, "user/node_modules/colophon");
  const run = (command: string[]) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: join(folder, "user") });
    return { exitCode, text: `${stdout}${stderr}` };
  };

  beforeAll(() => {
    cpSync(join(ROOT, "package.json"), join(packageFolder, "package.json"));
    expect(
      run([process.execPath, join(ROOT, "scripts/build-client.ts"), join(packageFolder, "dist/client")]),
    ).toMatchObject({ exitCode: 0 });
  });

  test("exports colophon/client to Node", () => {
    const program = 'import("colophon/client").then(({ Colophon }) => console.log(typeof Colophon))';
    expect(run(["node", "-e", program])).toEqual({ exitCode: 0, text: "function\n" });
  });

  test("has types that a program without the types of Bun and Node compiles with", () => {
    const compile = (lines: string[]) => {
      writeFileSync(join(folder, "user/program.mts"), [...PROGRAM, ...lines].join("\n"));
      return run([join(ROOT, "node_modules/.bin/tsc"), ...COMPILER_OPTIONS, "program.mts"]);
    };
    expect(compile([])).toEqual({ exitCode: 0, text: "" });
    const { text } = compile(Object.keys(WRONG));
    for (const error of Object.values(WRONG)) expect(text).toContain(error);
  });

  test("is also a package of its own, which Node and a bundler take, and which needs no other", () => {
    const npm = run(["npm", "pack", "--json", join(packageFolder, "dist/client")]);
    expect(npm.exitCode).toBe(0);
    const installed = join(folder, "user/node_modules/colophon-client");
    mkdirSync(installed, { recursive: true });
    const [tarball] = new Bun.Glob("colophon-client-*.tgz").scanSync({ cwd: join(folder, "user") });
    expect(run(["tar", "-xzf", tarball!, "-C", installed, "--strip-components=1"]).exitCode).toBe(0);
    const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    expect([manifest.dependencies, manifest.scripts]).toEqual([undefined, undefined]);
    const program = 'import { Colophon } from "colophon-client"; console.log(typeof Colophon);';
    writeFileSync(join(folder, "user/own.mjs"), program);
    writeFileSync(
      join(folder, "user/own.mts"),
      `${program} new Colophon({ url: "https://a.example", token: "t" });`,
    );
    expect(run(["node", "own.mjs"])).toEqual({ exitCode: 0, text: "function\n" });
    expect(
      run([process.execPath, "build", "own.mjs", "--target=browser", "--outfile=bundled.mjs"]).exitCode,
    ).toBe(0);
    expect(run(["node", "bundled.mjs"])).toEqual({ exitCode: 0, text: "function\n" });
    const types = run([join(ROOT, "node_modules/.bin/tsc"), ...COMPILER_OPTIONS, "own.mts"]);
    expect(types).toEqual({ exitCode: 0, text: "" });
  });
});
