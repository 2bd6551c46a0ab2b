/**
 * The scripts and styles of the app, by path. A checkout has their sources and bundles them at the first request. The
 * npm package and the executable have the finished files in `dist/web` instead, so that they need no build step.
 */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { extname, join } from "node:path";
import { programFile } from "../lib/program-files.ts";
import { type BundledFile, bundleApp } from "./bundle.ts";
import { FONT, type Page, pageOf, SCRIPT, STYLE, TEXT } from "./page-file.ts";

const SOURCE = programFile("src/web/app/app.tsx");
const PREBUILT = programFile("dist/web");

/** The name of a chunk changes with its content, and a font stays as it is: browsers keep them (RFC 8246). */
const IMMUTABLE = { "Cache-Control": "public, max-age=31536000, immutable" };

export async function loadAssets(): Promise<ReadonlyMap<string, Page>> {
  const files = existsSync(SOURCE) ? await bundleApp() : await readPrebuilt();
  return new Map(files.map(({ name, body }) => [`/page/${name}`, assetOf(name, body)]));
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
