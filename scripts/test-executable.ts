/**
 * Builds the executable and runs the tests of the whole program with it, in an empty folder with an empty PATH.
 *
 *     npm run test:executable                         all of them, about ten minutes
 *     npm run test:executable -- test/cli.test.ts     some
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.ts";
import { ALL_ENGINES, TIMEOUT_MS } from "./test.ts";

const ROOT = join(import.meta.dir, "..");
const PROGRAM = "dist/colophon";

/** Tests of the package of npm, and one that runs other tests. */
const OTHERS = ["test/package.build.test.ts", "test/docs.security.test.ts"];

/** The tests that start the program. The faults of a disk or of a network have nothing to do with how it is packed. */
function programTests(): string[] {
  return [...new Bun.Glob("test/**/*.test.ts").scanSync({ cwd: ROOT })]
    .filter((file) => !OTHERS.includes(file) && !/^test\/(faults|fuzz|soak)\//.test(file))
    .filter((file) => /\bfrom "\.\.?\/process\.ts"/.test(readFileSync(join(ROOT, file), "utf8")))
    .sort();
}

await build(join(ROOT, PROGRAM));
const given = process.argv.slice(2);
const tests = Bun.spawn(
  [
    process.execPath,
    "test",
    `--timeout=${TIMEOUT_MS}`,
    "--parallel=3",
    "--no-isolate",
    ...(given.length > 0 ? given : programTests()),
  ],
  {
    cwd: ROOT,
    env: { ...process.env, COLOPHON_PROGRAM: PROGRAM, COLOPHON_TEST_ENGINES: ALL_ENGINES },
    stdout: "inherit",
    stderr: "inherit",
  },
);
process.exitCode = await tests.exited;
