/** Backups are restored as docs/backup.md says, on both stores, and the catalog and its tokens are as they were. */
import { describe, expect, test } from "bun:test";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { message, product } from "../src/onix/testing/message.ts";
import { isPostgresLeftOut } from "../src/stores/postgres/testing/database.ts";
import {
  areDebianProgramsMissing,
  debianPrograms,
  startServer,
} from "../src/stores/postgres/testing/server.ts";
import { runStatements } from "../src/stores/postgres/testing/sql.ts";
import { colophon } from "./in-process.ts";
import { fetchAs, SECRET, startColophon, temporaryFolder } from "./process.ts";

const folder = temporaryFolder();
const pathOf = (name: string) => join(folder, name);
const ISBN = "9788437604947";

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await colophon(args, { env: SECRET });
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) });
  return stdout;
}

interface Catalog {
  readonly export: string;
  readonly kept: string;
  readonly revoked: string;
}

/** Makes a catalog with one token that is valid and one that is revoked. */
async function fill(db: string): Promise<Catalog> {
  const feed = pathOf("feed.xml");
  writeFileSync(feed, message(product({ isbn: ISBN })));
  await run("import", "--db", db, feed);
  const kept = (await run("token", "--db", db, "--name", "Kept")).trim();
  const revoked = (await run("token", "--db", db, "--name", "Revoked")).trim();
  const { jti } = JSON.parse(Buffer.from(revoked.split(".")[1]!, "base64url").toString());
  await run("token", "revoke", jti, "--db", db);
  return { export: await run("export", "--db", db), kept, revoked };
}

async function expectRestored(db: string, catalog: Catalog): Promise<void> {
  const server = await startColophon(["--db", db, "--log", "none"], SECRET);
  const status = async (token: string) => {
    return (await fetchAs(token, `${server.url}/api/isbn/${ISBN}`)).status;
  };
  expect([await status(catalog.kept), await status(catalog.revoked)]).toEqual([200, 401]);
  expect(await server.stop()).toBe(0);
  expect(await run("verify", "--db", db)).toStartWith("1 record, all intact.");
  expect(await run("export", "--db", db)).toBe(catalog.export);
}

describe("a backup", () => {
  test("of a file restores the catalog and the revocations after both are lost", async () => {
    const db = pathOf("catalog.db");
    const catalog = await fill(db);
    const copy = pathOf("backup.db");
    await run("backup", copy, "--db", db);
    for (const suffix of ["", ".tokens"]) {
      rmSync(db + suffix);
      renameSync(copy + suffix, db + suffix);
    }
    await expectRestored(db, catalog);
  });

  test.skipIf(areDebianProgramsMissing || isPostgresLeftOut)(
    "of a database, with pg_dump and pg_restore, restores it after the schema is lost (skipped by npm test, and without Debian's postgresql)",
    async () => {
      const programs = debianPrograms()!;
      await using server = await startServer({}, programs);
      const catalog = await fill(server.url);
      const dump = pathOf("colophon.dump");
      const pg = (program: string, ...args: string[]) => {
        const { exitCode, stderr } = Bun.spawnSync([join(programs, program), ...args]);
        expect([exitCode, stderr.toString()]).toEqual([0, ""]);
      };
      pg("pg_dump", "--format=custom", "--schema=colophon", `--file=${dump}`, server.url);
      await runStatements(server.url, "DROP SCHEMA colophon CASCADE");
      pg("pg_restore", `--dbname=${server.url}`, dump);
      await expectRestored(server.url, catalog);
    },
  );
});
