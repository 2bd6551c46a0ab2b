/** A mistyped path must not lead to an empty catalog: only options that say so create one. */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateKeyPair } from "../src/api/auth/testing/signed-tokens.ts";
import { feedXml } from "../src/ingest/watch/testing/feeds.ts";
import { colophon } from "./in-process.ts";
import { fetchAs, startColophon, temporaryFolder } from "./process.ts";

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
      `colophon: there is no catalog at ${db}: mount its volume, correct the path, or create an empty catalog with "colophon init --db ${db}"\n`,
    );
    expect(existsSync(join(folder, "mistyped"))).toBe(false);
  },
);

test("the default path is not created either", async () => {
  const cwd = temporaryFolder();
  for (const args of [COMMANDS[0]!, COMMANDS[2]!]) expect((await colophon(args, { cwd })).code).toBe(1);
  expect(readdirSync(cwd)).toEqual([]);
});

test("colophon init creates the folder, the catalog, the secret and a first token, once", async () => {
  const db = join(folder, "Ann's first/catalog.db");
  const created = await colophon(["init", "--db", db], { env: { npm_command: "exec" } });
  expect([created.code, created.stderr]).toEqual([
    0,
    expect.stringContaining(`Store a copy of ${db}.secret where you store passwords`),
  ]);
  // The next steps can be pasted, also after `npx colophon init`.
  expect(created.stderr).toContain(`npx colophon serve --db '${db.replace("'", "'\\''")}'`);
  const again = await colophon(["init", "--db", db], { env: { npm_command: "exec" } });
  const place = `--db '${db.replace("'", "'\\''")}'`;
  expect(again.stderr).toContain(`issue a token with "npx colophon token --name NAME ${place}"`);
  const help = await colophon(["init", "--help"], { env: { npm_command: "exec" } });
  expect(help.stdout).toContain("TOKEN=$(npx colophon init)");
  const server = await startColophon(["--db", db]);
  const { status } = await fetchAs(created.stdout.trim(), `${server.url}/api/imprints`);
  await server.stop();
  expect([status, server.stdout]).toEqual([200, expect.stringContaining("serves 0 books")]);
  expect(server.stdout).toContain(`colophon import ${place} FEED\n`);
  const secret = readFileSync(`${db}.secret`, "utf8");
  expect(await colophon(["init", "--db", db])).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining(`there is a catalog in ${db} already, and it is unchanged`),
  });
  expect(readFileSync(`${db}.secret`, "utf8")).toBe(secret);
});

test("colophon init beside a left-over token registry makes no new secret", async () => {
  const db = join(folder, "registry/catalog.db");
  await colophon(["init", "--db", db]);
  for (const lost of [db, `${db}.secret`]) rmSync(lost);
  const { code, stderr } = await colophon(["init", "--db", db]);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${db}.tokens is there without its catalog`)]);
  expect([db, `${db}.secret`].filter((path) => existsSync(path))).toEqual([]);
});

test("colophon init takes neither a folder nor another file for a catalog", async () => {
  const file = join(folder, "note.txt");
  writeFileSync(file, "A note.");
  const ofFolder = await colophon(["init", "--db", folder]);
  expect([ofFolder.code, ofFolder.stderr]).toEqual([1, expect.stringContaining(`${folder} is a folder`)]);
  const ofFile = await colophon(["init", "--db", file]);
  expect([ofFile.code, ofFile.stderr]).toEqual([1, expect.stringContaining("not a Colophon catalog")]);
});

test("colophon init creates nothing with a key that cannot be used, and no token with public keys", async () => {
  const db = join(folder, "keys/catalog.db");
  const refused = await colophon(["init", "--db", db], { env: { COLOPHON_JWT_SECRET: "short" } });
  expect([refused.code, existsSync(join(folder, "keys"))]).toEqual([1, false]);
  const pem = join(folder, "key.pem");
  writeFileSync(pem, generateKeyPair("EdDSA").publicKey.export({ type: "spki", format: "pem" }));
  const created = await colophon(["init", "--db", db], { env: { COLOPHON_JWT_KEYS: pem } });
  expect([created.code, created.stdout, existsSync(`${db}.secret`)]).toEqual([0, "", false]);
  expect(created.stderr).toContain("Tokens come from your identity provider.");
});

test("a volume that is lost is no empty catalog: serve and watch end or wait, and create nothing", async () => {
  const volume = join(folder, "volume");
  const [db, feeds] = [join(volume, "catalog.db"), join(folder, "feeds")];
  for (const path of [volume, feeds]) mkdirSync(path);
  writeFileSync(join(feeds, "a.xml"), feedXml());
  const { code, stdout, stderr } = await colophon(["watch", feeds, "--db", db, "--once", "--settle", "0"]);
  expect([code, stdout, stderr]).toEqual([
    1,
    expect.stringContaining("1 not imported"),
    expect.stringMatching(/"state":"blocked".*there is no catalog at .*mount its volume/),
  ]);
  expect((await colophon(["serve", "--port", "0", "--db", db])).code).toBe(1);
  expect([readdirSync(volume), existsSync(join(feeds, "a.xml"))]).toEqual([[], true]);
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
  const [db, feed] = [join(folder, "full.db"), join(folder, "full.xml")];
  writeFileSync(feed, feedXml());
  await colophon(["import", "--db", db, feed]);
  const server = await startColophon(["--create", "--db", db]);
  expect(server.stdout).toContain("serves 1 book");
  await server.stop();
});
