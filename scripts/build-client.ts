/**
 * Makes `dist/client`, or a given folder: the client as one JavaScript module, with its types, and as a package of its
 * own: `npm pack ./dist/client`. `npm pack` of Colophon runs it, too.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import packageJson from "../package.json" with { type: "json" };

const ROOT = join(import.meta.dir, "..");
const OUTPUT = resolve(process.argv[2] ?? join(ROOT, "dist/client"));

rmSync(OUTPUT, { recursive: true, force: true });
const { outputs } = await Bun.build({
  entrypoints: [join(ROOT, "src/client/index.ts")],
  outdir: OUTPUT,
  target: "browser",
  format: "esm",
});
const tsc = Bun.spawnSync(
  [join(ROOT, "node_modules/.bin/tsc"), "--project", "src/client", "--outDir", OUTPUT],
  { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] },
);
if (tsc.exitCode !== 0) process.exit(1);
// The compiler leaves the names of source files in the types, and older compilers do not resolve them.
for (const name of readdirSync(OUTPUT, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".d.ts"),
)) {
  const types = readFileSync(join(OUTPUT, name), "utf8");
  writeFileSync(join(OUTPUT, name), types.replace(/(from "\.\/[a-z/-]+)\.ts"/g, '$1.js"'));
}
const { version, license, engines } = packageJson;
const ownPackage = {
  name: "colophon-client",
  version,
  description: "The typed client of a Colophon service, without dependencies.",
  license,
  type: "module",
  engines,
  sideEffects: false,
  exports: { ".": { types: "./index.d.ts", default: "./index.js" }, "./package.json": "./package.json" },
};
writeFileSync(join(OUTPUT, "package.json"), `${JSON.stringify(ownPackage, null, 2)}\n`);
const readme = `# ${ownPackage.name}

${ownPackage.description} It runs in browsers, Node 20 and newer, Bun and Deno.

\`\`\`js
import { Colophon } from "${ownPackage.name}";

const catalog = new Colophon({ url: "https://books.example/", token });
const book = await catalog.book("9789999901116", { view: "summary" });
\`\`\`

The service documents options and methods at \`/docs/client\`, where it calls the package \`colophon/client\`.
`;
writeFileSync(join(OUTPUT, "README.md"), readme);
console.error(`${OUTPUT}: ${outputs[0]!.size} bytes of JavaScript, with types`);
