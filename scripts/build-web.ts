/** Makes `dist/web`, or a given folder: the bundle of the page for people. `npm pack` runs it. */
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { bundleApp } from "../src/web/bundle.ts";

const OUTPUT = resolve(process.argv[2] ?? join(import.meta.dir, "../dist/web"));

rmSync(OUTPUT, { recursive: true, force: true });
const files = await bundleApp();
await Promise.all(files.map(({ name, body }) => Bun.write(join(OUTPUT, name), body)));
console.error(`${OUTPUT}: ${files.length} files`);
