/**
 * Builds `dist/colophon`: one executable with Bun, the program, and every file that it reads.
 *
 *     npm run build                       for this machine
 *     npm run build -- linux-arm64 …      for others, as dist/colophon-linux-arm64; --list names them
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import lock from "../package-lock.json" with { type: "json" };
import { bundleApp } from "../src/web/bundle.ts";

export const ROOT = join(import.meta.dir, "..");

/** The modules that are started by their path. The bundler finds those that they import. */
const MODULES = ["src/cli/main.ts", "src/**/*.worker.ts"];

/** The files that `src/lib/program-files.ts` finds, beside the bundle of the page for people. */
const FILES = [
  "sample/catalog.xml",
  "src/web/*.{css,ico,svg,txt}",
  "{CHANGELOG,CONTRIBUTING}.md",
  "docs/*.md",
  "examples/README.md",
];

/** The Bun of other machines, from the packages that npm has of it. */
const CACHE = join(import.meta.dir, "../node_modules/.cache/colophon-build");

/** Names of `bun build --target`, without `bun-`. Colophon does not run on Windows: it needs signals and file locks. */
const TARGETS = [
  "linux-x64",
  "linux-arm64",
  "linux-x64-musl",
  "linux-arm64-musl",
  "darwin-x64",
  "darwin-arm64",
];

/** Builds the executable for this machine, or around the Bun of another target. */
export async function build(
  outfile: string,
  other?: { readonly target: string; readonly bun: string },
): Promise<void> {
  const temporary = mkdtempSync(join(tmpdir(), "colophon-build-"));
  try {
    for (const file of filesOf(FILES)) cpSync(join(ROOT, file), join(temporary, "files", file));
    for (const { name, body } of await bundleApp())
      await Bun.write(join(temporary, "files/dist/web", name), body);
    run([process.execPath, ...buildArguments(), ...filesOf(MODULES)]);
    // Not built in its place: Bun leaves source maps beside it, which the executable also contains.
    mkdirSync(dirname(outfile), { recursive: true });
    cpSync(join(temporary, "colophon"), `${outfile}.new`);
    // A running executable cannot be written to, but it can be replaced.
    renameSync(`${outfile}.new`, outfile);
  } finally {
    rmSync(temporary, { recursive: true });
  }

  function buildArguments(): string[] {
    return [
      "build",
      "--compile",
      // Modules keep their paths in the executable.
      "--root=.",
      // Each command loads only its own modules.
      "--splitting",
      "--format=esm",
      // Commands start faster.
      "--bytecode",
      // Errors name the lines of the sources.
      "--sourcemap=inline",
      // A file in the working folder must not change the program.
      "--no-compile-autoload-dotenv",
      "--no-compile-autoload-bunfig",
      `--asset=${join(temporary, "files")}`,
      `--outfile=${join(temporary, "colophon")}`,
      ...(other ? [`--target=bun-${other.target}`, `--compile-executable-path=${other.bun}`] : []),
    ];
  }
}

function filesOf(patterns: readonly string[]): string[] {
  return patterns.flatMap((pattern) => {
    const found = [...new Bun.Glob(pattern).scanSync({ cwd: ROOT })].sort();
    if (found.length === 0) throw new Error(`${pattern}: there is no such file`);
    return found;
  });
}

interface LockedPackage {
  readonly version: string;
  readonly integrity: string;
}

/** Returns the path of the Bun of a target. Downloads it once, in the version and with the digest of the lock file. */
async function bunFor(target: string): Promise<string> {
  if (!TARGETS.includes(target)) {
    throw new Error(`${target}: there is no such target; the targets are ${TARGETS.join(", ")}`);
  }
  const name = `@oven/bun-${target.replace("arm64", "aarch64")}`;
  const { version, integrity } = (lock.packages as unknown as Record<string, LockedPackage>)[
    `node_modules/${name}`
  ]!;
  if (version !== Bun.version)
    throw new Error(`Bun is ${Bun.version}, the lock file has ${version}; run "npm ci"`);
  const folder = join(CACHE, `${target}-${version}`);
  const program = join(folder, "package/bin/bun");
  if (existsSync(program)) return program;
  const temporary = `${folder}.${process.pid}`;
  mkdirSync(temporary, { recursive: true });
  try {
    const packed = run(["npm", "pack", "--json", "--pack-destination", temporary, `${name}@${version}`]);
    const report = JSON.parse(packed.slice(packed.search(/^[[{]/m)));
    const [{ filename }] = (Array.isArray(report) ? report : Object.values(report)) as [{ filename: string }];
    const archive = join(temporary, filename);
    const digest = new Bun.CryptoHasher("sha512").update(await Bun.file(archive).bytes()).digest("base64");
    if (`sha512-${digest}` !== integrity)
      throw new Error(`${name}@${version} is not the package of the lock file`);
    run(["tar", "-xzf", archive, "-C", temporary, "package/bin/bun"]);
    rmSync(archive);
    renameSync(temporary, folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return program;
}

/** Runs a program to its end. Returns its output. */
export function run(command: readonly string[], cwd = ROOT): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { cwd });
  if (exitCode !== 0) throw new Error(`${command.join(" ")} has failed:\n${stdout}${stderr}`);
  return String(stdout);
}

if (import.meta.main) {
  const targets = process.argv.slice(2);
  if (targets.includes("--list")) console.log(TARGETS.join("\n"));
  else if (targets.length === 0) await report(join(ROOT, "dist/colophon"), build);
  for (const target of targets.filter((each) => each !== "--list")) {
    const bun = await bunFor(target);
    await report(join(ROOT, `dist/colophon-${target}`), (outfile) => build(outfile, { target, bun }));
  }
}

async function report(outfile: string, make: (outfile: string) => Promise<void>): Promise<void> {
  await make(outfile);
  const megabytes = Math.round(Bun.file(outfile).size / 1e6);
  console.log(`${outfile.slice(ROOT.length + 1)}: ${megabytes} MB`);
}
