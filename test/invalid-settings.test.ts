/** Settings that a service cannot start with: exit 1, one line that says what to change, and nothing left running. */
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { colophon, temporaryFolder } from "./process.ts";

setDefaultTimeout(60_000);

const folder = temporaryFolder();
const db = join(folder.path, "catalog.db");
const somebody = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
afterAll(() => {
  somebody.stop(true);
  folder.remove();
});

/** Addresses for documentation (RFC 5737) are no machine's own. */
const NOT_OURS = "192.0.2.1";

const wrong: [name: string, args: string[], env: Record<string, string>, said: RegExp][] = [
  [
    "an admin port that is taken",
    ["--admin-port", String(somebody.port)],
    {},
    /^colophon: port \d+ of 127\.0\.0\.1 is in use: choose another with --admin-port\n$/,
  ],
  [
    "a host that is not this machine's",
    ["--host", NOT_OURS],
    {},
    /^colophon: port 0 of 192\.0\.2\.1 is not available \(.+\): .* --host\b.*\n$/,
  ],
  [
    "an admin host that is not this machine's",
    ["--admin-port", "0", "--admin-host", NOT_OURS],
    {},
    /^colophon: port 0 of 192\.0\.2\.1 is not available \(.+\): .* --admin-host\b.*\n$/,
  ],
  [
    "an origin that is none",
    [],
    { COLOPHON_CORS_ORIGIN: "shop" },
    /^colophon: COLOPHON_CORS_ORIGIN: "shop" is not an origin; write it as https:\/\/shop\.example\n$/,
  ],
];

describe.each(["1", "2"])("with %s workers", (workers) => {
  test.each(wrong)("%s", async (_, args, env, said) => {
    const all = ["serve", "--db", db, "--port", "0", "--log", "none", "--workers", workers, ...args];
    const { code, stdout, stderr } = await colophon(all, { env });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(said);
  });
});
