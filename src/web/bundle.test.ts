/** What a browser has to load for the first page, and where the files of the page come from. */
import { expect, test } from "bun:test";
import { type BundledFile, bundleApp } from "./bundle.ts";
import { shellPages } from "./html-pages.ts";

const MAX_FIRST_PAGE_BYTES = 150_000;
const MAX_FONT_BYTES = 60_000;

const files = new Map((await bundleApp()).map((file) => [file.name, file]));
const fonts = [...files.keys()].filter((name) => name.endsWith(".woff2"));
const text = ({ body }: BundledFile) => new TextDecoder().decode(body);

/** Returns a script and all that it imports statically. */
function withImports(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, imported] of text(files.get(name)!).matchAll(/(?:import|from)\s*"\.\/([\w.-]+)"/g))
    withImports(imported!, found);
  return found;
}

test(`the first page has at most ${MAX_FIRST_PAGE_BYTES} bytes, compressed by gzip`, () => {
  const names = [...withImports("app.js"), "theme.js", "app.css", ...fonts];
  const bodies = [Buffer.from(shellPages().get("/")!), ...names.map((name) => files.get(name)!.body)];
  const bytes = bodies.reduce((sum, body) => sum + Bun.gzipSync(new Uint8Array(body)).length, 0);
  expect(bytes).toBeLessThan(MAX_FIRST_PAGE_BYTES);
  expect(bytes).toBeGreaterThan(10_000);
});

test(`the fonts have at most ${MAX_FONT_BYTES} bytes, and the style sheets and the licence name them`, () => {
  expect(fonts.reduce((sum, name) => sum + files.get(name)!.body.length, 0)).toBeLessThan(MAX_FONT_BYTES);
  for (const name of fonts) expect(text(files.get("app.css")!)).toContain(`url(${name})`);
  expect(text(files.get("literata-license.txt")!)).toContain("SIL Open Font License, Version 1.1");
});

test("other pages are chunks that the first page does not load", () => {
  const first = withImports("app.js");
  const lazy = [...text(files.get("app.js")!).matchAll(/import\("\.\/([\w.-]+)"\)/g)].map(
    ([, name]) => name!,
  );
  expect(lazy.length).toBeGreaterThanOrEqual(4);
  expect(lazy.filter((name) => first.has(name))).toEqual([]);
});

test("the bundle refers to no other host", () => {
  for (const file of [...files.values()].filter(({ name }) => /\.(js|css)$/.test(name))) {
    // Licences of libraries are in comments.
    const code = text(file).replace(/\/\*[\s\S]*?\*\//g, "");
    const urls = [...code.matchAll(/https?:\/\/[^\s"'`)]+/g)].map(([url]) => url);
    // Names of XML namespaces are no addresses.
    expect([file.name, urls.filter((url) => !url.startsWith("http://www.w3.org/"))]).toEqual([file.name, []]);
  }
});

test("theme.js runs as a classic script, without imports", () => {
  expect(text(files.get("theme.js")!)).not.toMatch(/\b(import|export)\b/);
});
