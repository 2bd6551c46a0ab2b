/** A mistyped path must not lead to an empty catalog: only options that say so create one. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { colophon, startColophon, temporaryFolder } from "./process.ts";

setDefaultTimeout(180_000);

const folder = temporaryFolder();

const COMMANDS = [
  ["serve", "--port", "0"],
  ["serve", "--port", "0", "--workers", "2"],
  ["token", "--name", "Shop"],
  ["token", "list"],
  ["token", "revoke", "x"],
];

test.each(COMMANDS.map((args) => [args.join(" "), args] as const))(
  "colophon %s exits with 1 and says what to do, for a path without a catalog",
  async (_, args) => {
    const db = join(folder, "mistyped/catalog.db");
    const { code, stdout, stderr } = await colophon([...args, "--db", db]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toBe(
      `colophon: there is no catalog at ${db}: correct the path, import a feed first, or create an empty catalog with --create\n`,
    );
    expect(existsSync(join(folder, "mistyped"))).toBe(false);
  },
);

test("the default path is not created either", async () => {
  const cwd = temporaryFolder();
  for (const args of COMMANDS) expect((await colophon(args, { cwd })).code).toBe(1);
  expect(readdirSync(cwd)).toEqual([]);
});

test("--create makes an empty catalog, which is then used without it", async () => {
  const db = join(folder, "created/catalog.db");
  const token = await colophon(["token", "--name", "Shop", "--create", "--db", db]);
  expect(token.code).toBe(0);
  expect((await colophon(["token", "list", "--db", db])).stdout).toContain("Shop");
  const server = await startColophon(["--db", db]);
  expect(server.stdout).toContain("serves 0 books");
  await server.stop();
});

test("--create leaves a catalog with records as it is", async () => {
  const db = join(folder, "sample.db");
  const sample = await startColophon(["--sample", "--db", db]);
  await sample.stop();
  const again = await startColophon(["--create", "--db", db]);
  expect(again.stdout).toMatch(/serves 2\d\d books/);
  await again.stop();
});
