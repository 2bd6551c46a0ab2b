/**
 * The page for people with its scripts and styles, by path. A checkout has their sources and bundles them at the first
 * request. The npm package and the executable have the finished files in `dist/web` instead, so that they need no build
 * step.
 */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { extname, join } from "node:path";
import { programFile } from "../lib/program-files.ts";
import { type BundledFile, bundleApp } from "./bundle.ts";
import { shellPages } from "./html-pages.ts";
import {
  APP_CONTENT_SECURITY_POLICY,
  FONT,
  HTML,
  type Page,
  pageOf,
  SCRIPT,
  STYLE,
  TEXT,
} from "./page-file.ts";

const SOURCE = programFile("src/web/app/app.tsx");
const PREBUILT = programFile("dist/web");

/** The name of a chunk changes with its content, and a font stays as it is: browsers keep them (RFC 8246). */
const IMMUTABLE = { "Cache-Control": "public, max-age=31536000, immutable" };

export async function loadAssets(): Promise<ReadonlyMap<string, Page>> {
  const files = existsSync(SOURCE) ? await bundleApp() : await readPrebuilt();
  return new Map([
    ...files.map(({ name, body }) => [`/page/${name}`, assetOf(name, body)] as const),
    ...[...shellPages(modulesIn(files))].map(([path, html]) => [path, shellOf(html)] as const),
  ]);
}

/** Finds the chunks that the app needs for a page: those that `app.js` imports, and that of the page itself. */
export function modulesIn(files: readonly BundledFile[]): (page: number) => readonly string[] {
  const codeOf = (name: string) => Buffer.from(files.find((file) => file.name === name)!.body).toString();
  const addImports = (name: string, found: Set<string>): Set<string> => {
    for (const [, imported] of codeOf(name).matchAll(/\bfrom\s*"\.\/([\w-]+\.js)"/g))
      if (!found.has(imported!)) addImports(imported!, found.add(imported!));
    return found;
  };
  // The first page is a part of app.js. Others are loaded in the order of app/pages.ts.
  const lazy = [...codeOf("app.js").matchAll(/\bimport\("\.\/([\w-]+\.js)"\)/g)].map(([, name]) => name!);
  return (page) => {
    const found = addImports("app.js", new Set());
    const own = lazy[page - 1];
    return [...(own === undefined ? found : addImports(own, found.add(own)))];
  };
}

function shellOf(html: string): Page {
  const page = pageOf(Buffer.from(html), HTML, APP_CONTENT_SECURITY_POLICY);
  return { ...page, headers: { ...page.headers, "Referrer-Policy": "no-referrer" } };
}

async function readPrebuilt(): Promise<readonly BundledFile[]> {
  const names = await readdir(PREBUILT);
  return await Promise.all(
    names.map(async (name) => ({ name, body: await Bun.file(join(PREBUILT, name)).bytes() })),
  );
}

const TYPES: Readonly<Record<string, string>> = {
  ".css": STYLE,
  ".js": SCRIPT,
  ".woff2": FONT,
  ".txt": TEXT,
};

function assetOf(name: string, body: Uint8Array): Page {
  const page = pageOf(body, TYPES[extname(name)]!);
  return /^chunk-|\.woff2$/.test(name) ? { ...page, headers: { ...page.headers, ...IMMUTABLE } } : page;
}
