/** What a browser has to load for the first page, and where the files of the page come from. */
import { expect, test } from "bun:test";
import { modulesIn } from "./assets.ts";
import { type BundledFile, bundleApp } from "./bundle.ts";
import { shellPages } from "./html-pages.ts";

const MAX_FIRST_PAGE_BYTES = 150_000;
const MAX_FONT_BYTES = 60_000;

const bundle = await bundleApp();
const modulesOf = modulesIn(bundle);
const files = new Map(bundle.map((file) => [file.name, file]));
const fonts = [...files.keys()].filter((name) => name.endsWith(".woff2"));
const text = ({ body }: BundledFile) => new TextDecoder().decode(body);

test(`the first page has at most ${MAX_FIRST_PAGE_BYTES} bytes, compressed by gzip`, () => {
  const names = ["app.js", ...modulesOf(0), "theme.js", "app.css", ...fonts];
  const bodies = [
    Buffer.from(shellPages(modulesOf).get("/")!),
    ...names.map((name) => files.get(name)!.body),
  ];
  const bytes = bodies.reduce((sum, body) => sum + Bun.gzipSync(new Uint8Array(body)).length, 0);
  expect(bytes).toBeLessThan(MAX_FIRST_PAGE_BYTES);
  expect(bytes).toBeGreaterThan(10_000);
});

test(`the fonts have at most ${MAX_FONT_BYTES} bytes, and the style sheets and the licence name them`, () => {
  expect(fonts.reduce((sum, name) => sum + files.get(name)!.body.length, 0)).toBeLessThan(MAX_FONT_BYTES);
  for (const name of fonts) expect(text(files.get("app.css")!)).toContain(`url(${name})`);
  expect(text(files.get("literata-license.txt")!)).toContain("SIL Open Font License, Version 1.1");
});

test("each page preloads the scripts of the app and its own, and none of another page", () => {
  const classes = ["imprints-filter", "quality-section", "import-filters", "book-back"];
  const preloaded = [...shellPages(modulesOf).values()].map((html) => {
    const names = [...html.matchAll(/rel="modulepreload" href="(?:\.\.\/)?page\/([\w.-]+)"/g)];
    const code = names.map(([, name]) => text(files.get(name!)!)).join();
    return classes.filter((name) => code.includes(name));
  });
  expect(preloaded).toEqual([[], ...classes.map((name) => [name])]);
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
