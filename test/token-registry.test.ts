/** Revocation: also of tokens that were not issued here, and never undone by a lost token registry. */
import { beforeAll, expect, test } from "bun:test";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeJwt } from "jose";
import { generateKeyPair, publicPem, signToken, signWith } from "../src/api/auth/testing/signed-tokens.ts";
import { openSqlite } from "../src/stores/sqlite/store.ts";
import { colophon } from "./in-process.ts";
import { startColophon, temporaryFolder } from "./process.ts";

const folder = temporaryFolder();
const db = join(folder, "catalog.db");
const registry = `${db}.tokens`;
const run = (...args: string[]) => colophon([...args, "--db", db]);

beforeAll(async () => {
  expect((await run("migrate")).code).toBe(0);
});

test("a token of an identity provider is refused once its jti is revoked, in every process", async () => {
  const { privateKey, publicKey } = generateKeyPair("EdDSA");
  const keys = join(folder, "keys.pem");
  writeFileSync(keys, publicPem(publicKey));
  const tokenOf = (jti: string) =>
    signToken({ alg: "EdDSA" }, { exp: Date.now() / 1000 + 3600, jti }, signWith("EdDSA", privateKey));
  const server = await startColophon(["--db", db, "--workers", "2"], { COLOPHON_JWT_KEYS: keys });
  const statuses = async (jti: string) => {
    const headers = { Authorization: `Bearer ${tokenOf(jti)}`, Connection: "close" };
    const request = async () => (await fetch(`${server.url}/api/skus`, { headers })).status;
    return [...new Set(await Promise.all(Array.from({ length: 20 }, request)))];
  };
  expect([await statuses("urn:idp:1"), await statuses("urn:idp:2")]).toEqual([[200], [200]]);
  const { code, stderr } = await run("token", "revoke", "urn:idp:1");
  expect([code, stderr]).toEqual([
    0,
    "The token is revoked, although it was not issued here: the next request with the jti urn:idp:1 is refused.\n",
  ]);
  expect([await statuses("urn:idp:1"), await statuses("urn:idp:2")]).toEqual([[401], [200]]);
  await server.stop();
  expect((await run("token", "list")).stdout).toMatch(
    /^urn:idp:1 {2}not issued here {2}revoked \d{4}-\d\d-\d\d\n$/,
  );
  expect(JSON.parse((await run("token", "list", "--json")).stdout)).toEqual([
    { id: "urn:idp:1", revoked: expect.any(String) },
  ]);
});

test("an id with control characters is printed escaped", async () => {
  const { code, stderr } = await run("token", "revoke", "a\u001b[2J");
  expect([code, stderr.includes("\u001b")]).toEqual([0, false]);
  const { stdout } = await run("token", "list");
  expect(stdout).not.toContain("\u001b");
  expect(stdout.split("\n")).toHaveLength(3);
});

const LOST = `colophon: The token registry ${registry} is missing, and without it revoked tokens would be valid again; restore it from a backup, or create an empty one with --new-registry.\n`;

test("serve and token refuse a catalog that has lost its registry, until told", async () => {
  const revoked = (await run("token", "--name", "Gone")).stdout.trim();
  expect((await run("token", "revoke", decodeJwt(revoked).jti!)).code).toBe(0);
  renameSync(registry, join(folder, "away"));
  const commands = [
    ["serve", "--port", "0"],
    ["serve", "--port", "0", "--workers", "2"],
    ["token", "--name", "x"],
    ["token", "list"],
    ["token", "revoke", "x"],
  ];
  for (const args of commands) {
    expect(await run(...args)).toEqual({ code: 1, stdout: "", stderr: LOST });
  }
  expect(existsSync(registry)).toBe(false);
  // Other commands do not need it.
  expect((await run("stats")).code).toBe(0);
  const server = await startColophon(["--db", db, "--new-registry"]);
  await server.stop();
  expect(existsSync(registry)).toBe(true);
  expect((await run("token", "list")).stderr).toBe("No token has been issued yet.\n");
});

test("a restored backup without its registry is refused", async () => {
  const backup = join(folder, "backup.db");
  expect((await colophon(["backup", backup, "--db", db])).code).toBe(0);
  rmSync(`${backup}.tokens`);
  const { code, stderr } = await colophon(["serve", "--port", "0", "--db", backup]);
  expect([code, stderr]).toEqual([1, LOST.replace(registry, `${backup}.tokens`)]);
});

test("a new catalog beside an existing registry remembers it from the first start on", async () => {
  const path = join(folder, "again.db");
  expect((await colophon(["token", "--name", "Shop", "--create", "--db", path])).code).toBe(0);
  for (const suffix of ["", "-wal", "-shm", "-owner"]) rmSync(path + suffix, { force: true });
  expect((await colophon(["token", "list", "--create", "--db", path])).stdout).toContain("Shop");
  rmSync(`${path}.tokens`);
  expect((await colophon(["token", "list", "--db", path])).code).toBe(1);
});

test("a token that is issued during an import is remembered later", async () => {
  const path = join(folder, "busy.db");
  const store = openSqlite(path, { create: true });
  const transaction = await store.beginImport();
  expect((await colophon(["token", "--name", "Shop", "--db", path])).code).toBe(0);
  await transaction.abort();
  await store.close();
  expect((await colophon(["token", "list", "--db", path])).stdout).toContain("Shop");
  rmSync(`${path}.tokens`);
  expect((await colophon(["token", "list", "--db", path])).code).toBe(1);
});
