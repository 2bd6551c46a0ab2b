/** SIGHUP makes every worker read the keys again, without an interruption. */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import type { KeyObject } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateKeyPair, signToken, signWith } from "../src/api/auth/testing/signed-tokens.ts";
import { waitFor } from "../src/lib/testing/wait-for.ts";
import { type ServeProcess, startColophon, temporaryFolder } from "./process.ts";

setDefaultTimeout(60_000);

const folder = temporaryFolder();
afterAll(() => folder.remove());

const pem = (key: KeyObject) => key.export({ type: "spki", format: "pem" });
const tokenOf = (key: KeyObject) =>
  signToken({ alg: "EdDSA" }, { exp: Date.now() / 1000 + 3600 }, signWith("EdDSA", key));

/** Returns the distinct statuses of many connections, so that each worker gets a request. */
async function statuses(server: ServeProcess, token: string): Promise<number[]> {
  const headers = { Authorization: `Bearer ${token}`, Connection: "close" };
  const all = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const response = await fetch(`${server.url}/api/imprints`, { headers });
      await response.bytes();
      return response.status;
    }),
  );
  return [...new Set(all)];
}

/** Returns how often workers failed to read the keys again. */
async function failedReads({ stdout: printed }: ServeProcess): Promise<number> {
  const metrics = await (await fetch(/http:\S+\/metrics/.exec(printed)![0])).text();
  return Number(/^colophon_key_reads_total\{result="failed"\} (\d+)$/m.exec(metrics)![1]);
}

test.each(["1", "2"])(
  "SIGHUP replaces the keys with %s workers, and an invalid key file changes nothing",
  async (workers) => {
    const file = join(folder.path, `keys-${workers}.pem`);
    const [first, second] = [generateKeyPair("EdDSA"), generateKeyPair("EdDSA")];
    writeFileSync(file, pem(first.publicKey));
    const server = await startColophon(
      ["--db", join(folder.path, `${workers}.db`), "--workers", workers, "--admin-port", "0"],
      { COLOPHON_JWT_KEYS: file },
    );
    const [oldToken, newToken] = [tokenOf(first.privateKey), tokenOf(second.privateKey)];
    expect([await statuses(server, oldToken), await statuses(server, newToken)]).toEqual([[200], [401]]);

    writeFileSync(file, "no key");
    server.process.kill("SIGHUP");
    await waitFor(
      "every worker fails to read the keys",
      async () => (await failedReads(server)) === Number(workers),
    );
    expect(await statuses(server, oldToken)).toEqual([200]);

    writeFileSync(file, pem(second.publicKey));
    server.process.kill("SIGHUP");
    await waitFor(
      "every worker rejects the old key",
      async () => (await statuses(server, oldToken)).join() === "401",
    );
    expect(await statuses(server, newToken)).toEqual([200]);

    expect(await server.stop()).toBe(0);
    const events = (await server.stderr)
      .split("\n")
      .filter((line) => line.includes('"event":"keys"'))
      .map((line) => JSON.parse(line));
    expect(events.filter(({ error }) => error !== undefined).length).toBe(Number(workers));
    expect(events.filter(({ error }) => error === undefined).length).toBe(Number(workers));
  },
);
