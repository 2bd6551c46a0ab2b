/** Invalid settings: `colophon serve` exits with 1 and one line that names the setting to change. */
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { colophon, temporaryFolder } from "./process.ts";

const folder = temporaryFolder();
const db = join(folder, "catalog.db");
const otherServer = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
afterAll(() => {
  otherServer.stop(true);
});

/** An address for documentation (RFC 5737), which no machine has. */
const FOREIGN_HOST = "192.0.2.1";

const CASES: [name: string, args: string[], env: Record<string, string>, message: RegExp][] = [
  [
    "an admin port that is in use",
    ["--admin-port", String(otherServer.port)],
    {},
    /^colophon: port \d+ of 127\.0\.0\.1 is in use: choose another with --admin-port\n$/,
  ],
  [
    "a port that is in use, with npm start",
    ["--port", String(otherServer.port)],
    { npm_command: "start" },
    /^colophon: port \d+ of 127\.0\.0\.1 is in use: choose another with npm start -- --port\n$/,
  ],
  [
    "a host of another machine",
    ["--host", FOREIGN_HOST],
    {},
    /^colophon: port 0 of 192\.0\.2\.1 is not available \(.+\): .* --host\b.*\n$/,
  ],
  [
    "an admin host of another machine",
    ["--admin-port", "0", "--admin-host", FOREIGN_HOST],
    {},
    /^colophon: port 0 of 192\.0\.2\.1 is not available \(.+\): .* --admin-host\b.*\n$/,
  ],
  [
    "a log file that is the catalog",
    ["--log-file", db],
    {},
    /^colophon: --log-file .*catalog\.db is a file of the catalog; name another file\n$/,
  ],
  [
    "an invalid origin",
    [],
    { COLOPHON_CORS_ORIGIN: "shop" },
    /^colophon: COLOPHON_CORS_ORIGIN: "shop" is not an origin; write it as https:\/\/shop\.example\n$/,
  ],
];

describe.each(["1", "2"])("colophon serve with %s workers exits with 1 for", (workers) => {
  test.each(CASES)("%s", async (_, args, env, message) => {
    const command = ["serve", "--create", "--db", db, "--port", "0", "--log", "none", "--workers", workers];
    const { code, stdout, stderr } = await colophon([...command, ...args], { env });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(message);
  });
});
