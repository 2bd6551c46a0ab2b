/** Bundles the app in src/web/app with Bun: scripts, split by page, and style sheets. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { programFile } from "../lib/program-files.ts";

const SOURCES = programFile("src/web/app");

/** A file of the bundle. Names of chunks contain a hash of their content; other names do not change. */
export interface BundledFile {
  readonly name: string;
  readonly body: Uint8Array;
}

/** Modules share chunks. `theme` runs before the first paint: it is a classic script without imports. */
const MODULES = ["app.tsx", "header.tsx", "openapi.tsx"];
const CLASSIC_SCRIPTS = ["theme.ts"];
/** The fonts with their licence are served as they are, beside the style sheets. */
const FONTS = "shared/fonts";
const STYLES = ["app.css", "header.css", "openapi.css"];

export async function bundleApp(): Promise<readonly BundledFile[]> {
  const files = await Promise.all([
    build({ entrypoints: MODULES, format: "esm", splitting: true }),
    build({ entrypoints: CLASSIC_SCRIPTS, format: "iife" }),
    build({ entrypoints: STYLES, external: ["*.woff2"] }),
    readFonts(),
  ]);
  return files.flat();
}

async function readFonts(): Promise<readonly BundledFile[]> {
  const names = await readdir(join(SOURCES, FONTS));
  return await Promise.all(
    names.map(async (name) => ({ name, body: await Bun.file(join(SOURCES, FONTS, name)).bytes() })),
  );
}

async function build(config: Bun.BuildConfig): Promise<readonly BundledFile[]> {
  const { outputs } = await Bun.build({
    ...config,
    entrypoints: config.entrypoints.map((name) => join(SOURCES, name)),
    root: SOURCES,
    target: "browser",
    minify: true,
    naming: { entry: "[name].[ext]", chunk: "chunk-[hash].[ext]", asset: "[name]-[hash].[ext]" },
    // Without it, Bun calls the development runtime of JSX.
    define: { "process.env.NODE_ENV": '"production"' },
  });
  return await Promise.all(
    outputs.map(async (output) => ({
      name: output.path.slice(output.path.lastIndexOf("/") + 1),
      body: new Uint8Array(await output.arrayBuffer()),
    })),
  );
}
