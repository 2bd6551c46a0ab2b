/** The supervisor reads the keys again for all workers, without an interruption. */
import { afterAll, describe, expect, test } from "bun:test";
import type { KeyObject } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jwks, startKeyServer, token } from "../src/api/auth/testing/key-server.ts";
import {
  generateKeyPair,
  isOpensslMissing,
  signToken,
  signWith,
} from "../src/api/auth/testing/signed-tokens.ts";
import { waitFor } from "../src/lib/testing/wait-for.ts";
import { colophon } from "./in-process.ts";
import { childProcesses, type ServeProcess, startColophon, temporaryFolder } from "./process.ts";

const folder = temporaryFolder();

const pem = (key: KeyObject) => key.export({ type: "spki", format: "pem" });
const claims = { exp: Date.now() / 1000 + 3600 };
const tokenOf = (key: KeyObject) => signToken({ alg: "EdDSA" }, claims, signWith("EdDSA", key));

function start(name: string, workers: string, env: Record<string, string>): Promise<ServeProcess> {
  const db = join(folder, `${name}.db`);
  return startColophon(["--db", db, "--create", "--workers", workers, "--admin-port", "0"], env);
}

/** Returns the distinct statuses of many connections, so that each worker gets a request. */
async function statuses(server: ServeProcess, bearer: string): Promise<number[]> {
  const headers = { Authorization: `Bearer ${bearer}`, Connection: "close" };
  const all = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const response = await fetch(`${server.url}/api/imprints`, { headers });
      await response.bytes();
      return response.status;
    }),
  );
  return [...new Set(all)];
}

/** Returns how often reading the keys again has failed. */
async function failedReads({ stdout: printed }: ServeProcess): Promise<number> {
  const metrics = await (await fetch(/http:\S+\/metrics/.exec(printed)![0])).text();
  return Number(/^colophon_key_reads_total\{outcome="failed"\} (\d+)$/m.exec(metrics)![1]);
}

/** Stops the server and returns the outcomes of all reads in its log. */
async function loggedOutcomes(server: ServeProcess): Promise<string[]> {
  expect(await server.stop()).toBe(0);
  return (await server.stderr)
    .split("\n")
    .filter((line) => line.includes('"event":"keys"'))
    .map((line) => JSON.parse(line).outcome);
}

// Each is reloaded in the same way, by the supervisor of workers or by the only process.
test("SIGHUP replaces the keys with 2 workers, and an invalid key file changes nothing", async () => {
  const file = join(folder, "keys.pem");
  const [first, second] = [generateKeyPair("EdDSA"), generateKeyPair("EdDSA")];
  writeFileSync(file, pem(first.publicKey));
  const server = await start("file", "2", { COLOPHON_JWT_KEYS: file });
  const [oldToken, newToken] = [tokenOf(first.privateKey), tokenOf(second.privateKey)];
  expect([await statuses(server, oldToken), await statuses(server, newToken)]).toEqual([[200], [401]]);

  writeFileSync(file, "no key");
  server.process.kill("SIGHUP");
  await waitFor("the keys cannot be read", async () => (await failedReads(server)) === 1);
  expect(await statuses(server, oldToken)).toEqual([200]);

  writeFileSync(file, pem(second.publicKey));
  server.process.kill("SIGHUP");
  await waitFor(
    "every worker rejects the old key",
    async () => (await statuses(server, oldToken)).join() === "401",
  );
  expect(await statuses(server, newToken)).toEqual([200]);
  expect(await loggedOutcomes(server)).toEqual(["failed", "changed"]);
  expect(await server.stderr).toContain(
    `"error":"the file ${file} of COLOPHON_JWT_KEYS has neither a PEM public key nor a JWK nor a JWKS: put one of them there"`,
  );
});

test("SIGHUP loads the secret of token rotate with 1 worker, and old tokens stay valid for the days to keep", async () => {
  const server = await start("secret", "1", {});
  const db = ["--db", join(folder, "secret.db")];
  const issue = async () => (await colophon(["token", "--name", "Shop", ...db])).stdout.trim();
  const rotate = async (...args: string[]) => {
    expect(await colophon(["token", "rotate", ...args, ...db])).toMatchObject({ code: 0, stdout: "" });
    server.process.kill("SIGHUP");
  };
  const first = await issue();
  await rotate();
  const second = await issue();
  await waitFor("all accept the new secret", async () => (await statuses(server, second)).join() === "200");
  expect(await statuses(server, first)).toEqual([200]);
  await rotate("--keep-days", "0");
  const third = await issue();
  await waitFor("all accept the newest", async () => (await statuses(server, third)).join() === "200");
  expect([await statuses(server, first), await statuses(server, second)]).toEqual([[401], [401]]);
  expect(await loggedOutcomes(server)).toEqual(["changed", "changed"]);
});

test("a secret of the environment is replaced with the one before as COLOPHON_JWT_SECRET_PREVIOUS", async () => {
  const [old, next] = ["an old secret of at least 32 bytes", "a new secret of at least 32 bytes"];
  const db = ["--db", join(folder, "environment.db")];
  const issue = async (env: Record<string, string>) =>
    (await colophon(["token", "--create", "--name", "Shop", ...db], { env })).stdout.trim();
  const oldToken = await issue({ COLOPHON_JWT_SECRET: old });
  const env = { COLOPHON_JWT_SECRET: next, COLOPHON_JWT_SECRET_PREVIOUS: old };
  const newToken = await issue(env);
  await using both = await startColophon(db, env);
  expect([await statuses(both, oldToken), await statuses(both, newToken)]).toEqual([[200], [200]]);
  await using later = await startColophon(db, { COLOPHON_JWT_SECRET: next });
  expect([await statuses(later, oldToken), await statuses(later, newToken)]).toEqual([[401], [200]]);
  const rotated = await colophon(["token", "rotate", ...db], { env });
  expect([rotated.code, rotated.stderr]).toEqual([
    1,
    expect.stringContaining("COLOPHON_JWT_SECRET_PREVIOUS"),
  ]);
});

test("serve and token refuse to start without the secret of valid tokens, and make no new one", async () => {
  const db = join(folder, "lost.db");
  expect((await colophon(["token", "--create", "--name", "Shop", "--db", db])).code).toBe(0);
  rmSync(`${db}.secret`);
  for (const args of [
    ["serve", "--port", "0", "--create"],
    ["token", "--name", "Shop"],
  ]) {
    const { code, stderr } = await colophon([...args, "--db", db]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/lost\.db\.secret is missing.*token rotate/)]);
  }
  const { code, stderr } = await colophon(["token", "rotate", "--db", db]);
  expect([code, stderr]).toEqual([0, expect.stringContaining("no token of the old one is valid any more")]);
  expect((await colophon(["token", "--name", "Shop", "--db", db])).code).toBe(0);
});

describe.skipIf(isOpensslMissing)("a key URL with 2 workers (skipped where openssl is not installed)", () => {
  const keyServer = startKeyServer();
  afterAll(() => keyServer[Symbol.dispose]());
  const caFile = join(folder, "ca.pem");
  writeFileSync(caFile, keyServer.cert);
  const env = { COLOPHON_JWT_KEYS: keyServer.url, NODE_EXTRA_CA_CERTS: caFile };

  test("is fetched by one process, and a removed key is rejected by every worker", async () => {
    keyServer.respond = () => new Response(jwks(0, 1));
    keyServer.fetchCount = 0;
    const server = await start("url", "2", env);
    const [removed, kept] = [token(0, { kid: "k0" }, claims), token(1, { kid: "k1" }, claims)];
    expect([await statuses(server, removed), await statuses(server, kept)]).toEqual([[200], [200]]);
    expect(keyServer.fetchCount).toBe(1);

    keyServer.respond = () => new Response(jwks(1));
    server.process.kill("SIGHUP");
    await waitFor(
      "every worker rejects the removed key",
      async () => (await statuses(server, removed)).join() === "401",
    );
    expect(await statuses(server, kept)).toEqual([200]);
    expect(keyServer.fetchCount).toBe(2);
    expect(await loggedOutcomes(server)).toEqual(["changed"]);
  });

  test("is not needed for a worker that replaces another", async () => {
    keyServer.respond = () => new Response(jwks(0));
    const server = await start("outage", "2", env);
    const bearer = token(0, { kid: "k0" }, claims);
    keyServer.respond = () => new Response("", { status: 503 });
    const before = childProcesses(server.process.pid);
    for (const pid of before) process.kill(pid, "SIGKILL");
    await waitFor("two new workers", () => {
      const now = childProcesses(server.process.pid);
      return now.length === 2 && !now.some((pid) => before.includes(pid));
    });
    await waitFor("a worker responds", async () => {
      try {
        return (await statuses(server, bearer)).join() === "200";
      } catch {
        return false;
      }
    });
    expect(await server.stop()).toBe(0);
  });
});
