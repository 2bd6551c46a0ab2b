/** Only `colophon migrate` changes the format of a catalog. `test/postgres/cli.test.ts` has the same for PostgreSQL. */
import { beforeAll, expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { canMount, mountTestDisk, SKIP_REASON } from "./faults/test-disk.ts";
import { colophon } from "./in-process.ts";
import { nextColophon, SAMPLE, temporaryFolder } from "./process.ts";

const folder = temporaryFolder();
const db = join(folder, "catalog.db");
const feeds = join(folder, "feeds");

const run = (...args: readonly string[]) => colophon([...args, "--db", db]);
const runNext = (...args: readonly string[]) => nextColophon([...args, "--db", db]);

beforeAll(async () => {
  mkdirSync(feeds);
  expect(await run("migrate")).toEqual({ code: 0, stdout: "An empty catalog was created.\n", stderr: "" });
  expect((await run("import", SAMPLE)).code).toBe(0);
  expect((await run("token", "--name", "Shop")).code).toBe(0);
});

const COMMANDS = [
  ["serve", "--port", "0"],
  ["serve", "--port", "0", "--workers", "2"],
  ["serve", "--port", "0", "--create"],
  ["serve", "--port", "0", "--sample"],
  ["import", SAMPLE],
  ["check", SAMPLE],
  ["export"],
  ["stats"],
  ["history"],
  ["verify"],
  ["backup", join(folder, "backup.db")],
  ["compact"],
  ["token", "list"],
  ["token", "--name", "Shop"],
  ["token", "revoke", "x"],
];

test.each(
  COMMANDS.map((args) => [args.join(" ").replaceAll(folder, "").replace(SAMPLE, "FEED"), args] as const),
)("colophon %s refuses a catalog of an older format and names the command", async (_, args) => {
  const bytes = readFileSync(db);
  expect(await runNext(...args)).toEqual({
    code: 1,
    stdout: "",
    stderr: `colophon: ${db} was made by an older Colophon (format 1, this version needs 2); run "colophon migrate --db ${db}" once to bring it up to date.\n`,
  });
  expect(readFileSync(db).equals(bytes)).toBe(true);
});

test("colophon watch leaves a feed where it is, and names the command", async () => {
  const bytes = readFileSync(db);
  const feed = join(feeds, "feed.xml");
  copyFileSync(SAMPLE, feed);
  const { code, stderr } = await runNext("watch", feeds, "--once", "--settle", "0");
  expect([code, stderr]).toEqual([1, expect.stringContaining('run \\"colophon migrate\\" once')]);
  expect(existsSync(feed)).toBe(true);
  expect(readFileSync(db).equals(bytes)).toBe(true);
});

test.skipIf(!canMount)(
  `migrate refuses a disk without space for it, and the catalog is unchanged${SKIP_REASON}`,
  async () => {
    using disk = mountTestDisk(folder, 16);
    const path = join(disk.path, "catalog.db");
    copyFileSync(db, path);
    const bytes = readFileSync(path);
    disk.fill(500_000);
    const { code, stdout, stderr } = await nextColophon(["migrate", "--db", path]);
    expect([code, stdout, stderr]).toEqual([
      1,
      expect.stringMatching(/ is migrated from format 1 to 2; this needs up to \d+ MB .* 0 MB are free\.\n$/),
      expect.stringMatching(
        / needs \d+ MB of free space .*, and 0 MB are free; the catalog is unchanged\. Free some/,
      ),
    ]);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    disk.empty();
    expect((await nextColophon(["migrate", "--db", path])).code).toBe(0);
  },
);

test("migrate says what it needs and what it has done, and then that nothing is left to do", async () => {
  const migrated = await Promise.all([runNext("migrate"), runNext("migrate")]);
  expect(migrated.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ""],
    [0, ""],
  ]);
  const plan = (path: string) =>
    `${path} is migrated from format 1 to 2; this needs up to \\d+ MB of free space, and [\\d,]+ MB are free\\.\n`;
  const lines = [
    plan(db),
    plan(`${db}.tokens`),
    "The catalog was migrated from format 1 to 2\\.\n",
    "The token registry was migrated from format 1 to 2\\.\n",
  ];
  expect(migrated.some(({ stdout }) => new RegExp(`^${lines.join("")}$`).test(stdout))).toBe(true);
  expect(await runNext("migrate")).toMatchObject({ code: 0, stdout: "The catalog is up to date.\n" });
  expect((await runNext("stats")).stdout).toMatch(/^records +223\n/);
  expect((await runNext("token", "list")).stdout).toContain("Shop");
  const { code, stderr } = await run("stats");
  expect([code, stderr]).toEqual([
    1,
    `colophon: ${db} was made by a newer Colophon (format 2, this version reads up to 1); update Colophon.\n`,
  ]);
});
