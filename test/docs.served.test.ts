/** The documentation that the service serves at /docs, and the examples in it. */
import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isProgramMissing } from "../src/lib/testing/requirements.ts";
import { docsPages } from "../src/web/docs-pages.ts";
import { NAVIGATION } from "../src/web/navigation.ts";
import { duringTests } from "./during-tests.ts";
import { runProgram, startWithSample, temporaryFolder } from "./process.ts";

const ROOT = join(import.meta.dir, "..");
const pages = await docsPages();
const HEADER_LINKS = new Set(NAVIGATION.map(({ path }) => path).filter((path) => path !== "docs"));
const folder = temporaryFolder();

const server = duringTests(() => startWithSample(join(folder, "catalog.db")));

test.each([...pages.keys()])(
  "%s is served without a token, and loads nothing from another host",
  async (path) => {
    const response = await fetch(server.url + path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    const html = await response.text();
    expect(html).toBe(pages.get(path)!);
    for (const [, url] of html.matchAll(/(?:src|<link[^>]*href)="([^"]*)"/g)) {
      const loaded = await fetch(new URL(url!, server.url + path));
      expect([url, loaded.status]).toEqual([url, 200]);
    }
  },
);

test("every link leads to a page and to a heading of it, also below a path prefix", () => {
  const links: string[] = [];
  for (const [path, html] of pages) {
    for (const [, target] of html.matchAll(/<a[^>]* href="([^"]*)"/g)) {
      const { pathname, hash, origin } = new URL(target!, `http://host/prefix${path}`);
      if (origin !== "http://host" || HEADER_LINKS.has(pathname.slice("/prefix/".length))) continue;
      expect(pathname).toStartWith("/prefix/docs");
      const page = pages.get(pathname.slice("/prefix".length));
      expect([path, target, page !== undefined]).toEqual([path, target, true]);
      if (hash) expect([path, target, page!.includes(`id="${hash.slice(1)}"`)]).toEqual([path, target, true]);
      links.push(target!);
    }
  }
  expect(links.length).toBeGreaterThan(pages.size ** 2);
});

test("the index lists every document, and each page lists all of them", () => {
  const documents = [...new Bun.Glob("docs/*.md").scanSync({ cwd: ROOT })]
    .map((file) => basename(file, ".md"))
    .filter((name) => name !== "README");
  const paths = [...documents, "changelog", "contributing", "examples"].map((name) => `/docs/${name}`);
  expect([...pages.keys()].sort()).toEqual(["/docs", ...paths].sort());
  for (const html of pages.values()) {
    const navigation = /<nav class="documents".*?<\/nav>/s.exec(html)![0];
    const shelves = [...navigation.matchAll(/<p class="shelf-name">(\w+)/g)].map(([, shelf]) => shelf);
    expect(shelves).toEqual(["Integrate", "Operate", "Understand", "Contribute"]);
    expect(navigation.match(/<li>/g)).toHaveLength(pages.size - 1);
  }
});

test("pages show no comment and no image of the repository", () => {
  for (const html of pages.values())
    expect(html.slice(html.indexOf("<main"))).not.toMatch(/<!--|&lt;!--|<img/);
});

test("the OpenAPI document and the OpenAPI page lead to the documentation", async () => {
  const { info } = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    info: { description: string };
  };
  expect(info.description).toContain("](docs)");
  expect(await (await fetch(`${server.url}/openapi.html`)).text()).toContain('href="docs"');
});

const EXAMPLE = /^```(sh|ts|python) example\n(.*?)^```$/gms;
const DOCUMENTS = [...new Bun.Glob("docs/*.md").scanSync({ cwd: ROOT })].sort();
const examples = DOCUMENTS.flatMap((file) =>
  [...readFileSync(join(ROOT, file), "utf8").matchAll(EXAMPLE)].map(([, language, code], index) => ({
    name: `${file} ${index + 1} (${language})`,
    language: language!,
    code: code!,
  })),
);

describe("the examples", () => {
  const user = join(folder, "user");
  beforeAll(() => {
    const installed = join(user, "node_modules/colophon");
    cpSync(join(ROOT, "package.json"), join(installed, "package.json"));
    const build = [process.execPath, join(ROOT, "scripts/build-client.ts"), join(installed, "dist/client")];
    expect(Bun.spawnSync(build).exitCode).toBe(0);
  });

  test("are found in every language", () => {
    expect(new Set(examples.map(({ language }) => language))).toEqual(new Set(["sh", "ts", "python"]));
  });

  /** Runs an example as a reader would paste it. Shell examples end at their first error. */
  const COMMANDS: Readonly<Record<string, (file: string) => string[]>> = {
    sh: (file) => ["bash", "-euo", "pipefail", file],
    ts: (file) => [process.execPath, file],
    python: (file) => ["python3", file],
  };
  const PROGRAMS: Readonly<Record<string, string>> = { sh: "curl", ts: "bash", python: "python3" };

  for (const { name, language, code } of examples) {
    const program = PROGRAMS[language]!;
    test.skipIf(isProgramMissing(program))(
      `${name} runs and prints a result (skipped without ${program})`,
      async () => {
        const file = join(user, `example.${language}`);
        writeFileSync(file, code);
        const env = { ...process.env, COLOPHON_URL: server.url, COLOPHON_TOKEN: server.token! };
        const { stdout, ...result } = await runProgram(COMMANDS[language]!(file), { cwd: user, env });
        expect(result).toEqual({ code: 0, stderr: "" });
        expect(stdout.trim()).not.toBe("");
        expect(stdout).not.toContain('"status":4');
      },
    );
  }
});
