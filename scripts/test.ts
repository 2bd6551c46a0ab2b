/**
 * `npm test` checks types and style, and runs the tests that need nothing but what npm installs. `npm run test:all`
 * (`--all`) runs all tests, with PostgreSQL, browsers, proxies, containers and root, and the short forms of the long
 * runs: faults, fuzzing, soak, the built executable and package. Other arguments, such as paths, go to `bun test`, and
 * then only tests run.
 *
 * A test file says in its path what it needs: by its folder, or by a name that ends with `.NEED.test.ts`. Suites that
 * run on several engines get PostgreSQL with `--all` (`src/stores/testing/engines.ts`).
 */
import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
/** `test/architecture.test.ts` checks that no other test needs these. */
export const NEEDING_MORE = [
  "**/postgres/**",
  "test/{web,faults,fuzz,soak}/**",
  "**/*.{postgres,browser,proxy,container,root,build}.test.ts",
];
export const ALL_ENGINES = "sqlite,sqlite behind promises,postgres";
/** Only for a test that hangs: a busy machine takes a minute where an idle one takes five seconds. */
export const TIMEOUT_MS = 600_000;
/** Tests wait for processes, disks and deadlines, so that two cores are busy with four. */
const WORKERS = Math.max(4, availableParallelism());
/** A whole run leaves no more than this in its temporary folder. */
const NEEDED_MEMORY_BYTES = 8 * 2 ** 30;
const CHECKS = [
  ["npx", "tsc", "--noEmit"],
  ["npx", "tsc", "--noEmit", "--project", "src/web/app"],
  ["npx", "biome", "check"],
];

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const isAll = args.includes("--all");
  const others = args.filter((arg) => arg !== "--all");
  const folder = createFolder();
  try {
    // They take a fraction of the time of the tests, and print little: nothing when they succeed.
    const checks = Promise.all(others.length === 0 ? CHECKS.map(run) : []);
    const tests = Bun.spawn(
      [
        ...[process.execPath, "test", `--timeout=${TIMEOUT_MS}`, `--parallel=${WORKERS}`, "--no-isolate"],
        // The slowest files begin first.
        "--timings=test/timings.json",
        ...(isAll ? [] : NEEDING_MORE.map((pattern) => `--path-ignore-patterns=${pattern}`)),
        ...others,
      ],
      {
        cwd: ROOT,
        env: { ...process.env, TMPDIR: folder, ...(isAll ? { COLOPHON_TEST_ENGINES: ALL_ENGINES } : {}) },
        stdio: ["inherit", "inherit", "inherit"],
      },
    );
    const codes = [await tests.exited, ...(await checks)];
    return codes.find((code) => code !== 0) ?? 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Creates the temporary folder of the tests, in memory where it has room: tests wait for disks more than they compute. */
function createFolder(): string {
  const memory = "/dev/shm";
  const folder = mkdtempSync(join(hasRoom(memory) ? memory : tmpdir(), "colophon-tests-"));
  // Some tests run programs as other users.
  chmodSync(folder, 0o1777);
  return folder;
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > NEEDED_MEMORY_BYTES;
  } catch {
    return false;
  }
}

/** Runs a check. Prints its output when it fails. */
async function run(command: string[]): Promise<number> {
  const child = Bun.spawn(command, { cwd: ROOT, stdout: "pipe", stderr: "pipe" });
  const [output, errors, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) console.error(`\n${command.join(" ")} failed:\n${output}${errors}`);
  return code;
}
