/**
 * Builds `dist/colophon`: one executable with Bun, the program, and every file that it reads.
 *
 *     npm run build                       for this machine
 *     npm run build -- linux-arm64 …      for others, as dist/colophon-linux-arm64; --list names them
 */
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { bundleApp } from "../src/web/bundle.ts";
import { bunFor, TARGETS } from "./build/other-bun.ts";

const ROOT = join(import.meta.dir, "..");

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
    const { exitCode, stderr } = Bun.spawnSync([process.execPath, ...buildArguments(), ...filesOf(MODULES)], {
      cwd: ROOT,
      stdout: "ignore",
    });
    if (exitCode !== 0) throw new Error(`bun build has failed:\n${stderr}`);
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
