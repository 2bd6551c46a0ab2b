/** What operators read when a connection to PostgreSQL or its schema is not as expected: one line, with cause and fix. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isProgramMissing } from "../../src/lib/testing/requirements.ts";
import { createDatabase, serverUrl } from "../../src/stores/postgres/testing/database.ts";
import {
  giveToPostgres,
  type PostgresServer,
  startServer,
} from "../../src/stores/postgres/testing/server.ts";
import { queryValue, runStatements } from "../../src/stores/postgres/testing/sql.ts";
import { colophon } from "../in-process.ts";
import { fetchAs, SAMPLE, SECRET, startColophon, temporaryFolder } from "../process.ts";

/** Expects exit code 1 and one line on standard error. Returns the line. */
async function failureOf(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await colophon(args, { env: SECRET });
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^colophon: [^\n]+\.\n$/);
  expect(stderr).not.toContain("undefined");
  return stderr;
}

describe("the TLS settings of a URL", () => {
  for (const args of [
    ["serve", "--port", "0"],
    ["import", SAMPLE],
  ]) {
    test(`an unknown sslmode is rejected by "colophon ${args[0]}"`, async () => {
      const line = await failureOf(...args, "--db", "postgres://postgres@127.0.0.1:1/x?sslmode=verify");
      expect(line).toContain('There is no sslmode "verify"; in the URL, use one of disable,');
    });
  }

  test("an sslrootcert that cannot be read is rejected with its path", async () => {
    const url = "postgres://postgres@127.0.0.1:1/x?sslmode=verify-full&sslrootcert=/no/such.crt";
    expect(await failureOf("stats", "--db", url)).toContain("/no/such.crt");
  });

  test("an sslrootcert without TLS is rejected", async () => {
    const url = `postgres://postgres@127.0.0.1:1/x?sslrootcert=${SAMPLE}`;
    expect(await failureOf("stats", "--db", url)).toContain("add sslmode=verify-full");
  });
});

describe.skipIf(isProgramMissing("openssl"))("a server with TLS (skipped where openssl is missing)", () => {
  const folder = temporaryFolder();
  let server: PostgresServer;

  const urlOf = (host: string, query: string) =>
    `postgres://postgres@${host}:${server.port}/postgres?sslmode=${query}`;

  beforeAll(async () => {
    for (const name of ["ca", "other"]) {
      openssl("req", "-x509", ...newKey(name), "-out", `${name}.crt`, "-subj", `/CN=${name}`, "-days", "2");
    }
    openssl("req", ...newKey("server"), "-out", "server.csr", "-subj", "/CN=localhost");
    writeFileSync(join(folder, "extensions"), "subjectAltName=DNS:localhost");
    const signer = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial"];
    const request = ["-in", "server.csr", "-days", "2", "-extfile", "extensions"];
    openssl("x509", "-req", ...request, ...signer, "-out", "server.crt");
    await giveToPostgres(folder);
    server = await startServer({
      ssl: "on",
      ssl_cert_file: join(folder, "server.crt"),
      ssl_key_file: join(folder, "server.key"),
    });
    expect((await colophon(["migrate", "--db", server.url])).code).toBe(0);
  });

  afterAll(() => server[Symbol.asyncDispose]());

  function newKey(name: string): readonly string[] {
    return ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", `${name}.key`];
  }

  function openssl(...args: readonly string[]): void {
    const { exitCode, stderr } = Bun.spawnSync(["openssl", ...args], { cwd: folder, stderr: "pipe" });
    if (exitCode !== 0) throw new Error(stderr.toString());
  }

  test("is accepted by verify-full with the CA in sslrootcert", async () => {
    const url = urlOf("localhost", `verify-full&sslrootcert=${join(folder, "ca.crt")}`);
    expect((await colophon(["stats", "--db", url])).code).toBe(0);
    const uses = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
    expect(await queryValue(url, uses)).toBe(true);
  });

  test("is rejected by verify-full with an unknown CA, and the line names sslrootcert", async () => {
    const other = `verify-full&sslrootcert=${join(folder, "other.crt")}`;
    for (const query of ["verify-full", "verify-ca", other]) {
      const line = await failureOf("stats", "--db", urlOf("localhost", query));
      expect(line).toMatch(
        /The certificate of PostgreSQL at localhost:\d+\/postgres is rejected \(.+\); .*sslrootcert/,
      );
    }
  });

  test("is rejected by verify-full under another name", async () => {
    const url = urlOf("127.0.0.1", `verify-full&sslrootcert=${join(folder, "ca.crt")}`);
    expect(await failureOf("stats", "--db", url)).toContain("does not match");
  });
});

test("a server without TLS is rejected by sslmode=require", async () => {
  await using database = await createDatabase();
  const url = new URL(database.url);
  url.searchParams.set("sslmode", "require");
  expect(await failureOf("stats", "--db", String(url))).toContain("does not offer TLS; set ssl = on");
});

test("a database or a user that is not there is named with what to do", async () => {
  const url = await serverUrl();
  expect(await failureOf("stats", "--db", url.replace(/[^/]*$/, "no_such"))).toContain(
    "has no such database; create it, or name another",
  );
  expect(await failureOf("serve", "--port", "0", "--db", url.replace("postgres@", "nobody_here@"))).toMatch(
    /rejects this user .*correct the user or the password in the URL/,
  );
});

describe("an altered schema", () => {
  const alterations = {
    "a table that was dropped": "DROP TABLE colophon.token, colophon.imprint",
    "a column that was renamed": "ALTER TABLE colophon.catalog RENAME COLUMN revision TO other",
    "a row that was deleted": "DELETE FROM colophon.catalog",
  };

  for (const [title, alteration] of Object.entries(alterations)) {
    test(`${title} is named in one line`, async () => {
      await using database = await createDatabase();
      expect((await colophon(["migrate", "--db", database.url])).code).toBe(0);
      await runStatements(database.url, alteration);
      const line = await failureOf("stats", "--db", database.url);
      expect(line).toMatch(/The schema of the catalog at \S+ was altered \(.+\); restore it from a backup/);
    });
  }

  test("is logged by serve in one line without a stack", async () => {
    await using database = await createDatabase();
    expect((await colophon(["migrate", "--db", database.url])).code).toBe(0);
    const token = ["token", "--name", "Shop", "--db", database.url];
    const bearer = (await colophon(token, { env: SECRET })).stdout.trim();
    const service = await startColophon(["--db", database.url], SECRET);
    await runStatements(database.url, "ALTER TABLE colophon.record RENAME COLUMN body TO other");
    const response = await fetchAs(bearer, `${service.url}/api/isbn/9780000000002`);
    expect(response.status).toBe(503);
    await service.stop();
    const lines = (await service.stderr).split("\n").filter((line) => line.includes("was altered"));
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toMatch(/ at .*\.ts:\d+/);
  });
});
