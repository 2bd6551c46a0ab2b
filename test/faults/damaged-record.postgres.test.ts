/** A damaged record in a catalog on PostgreSQL is detected and named. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { message, product } from "../../src/onix/testing/message.ts";
import { createDatabase, type TestDatabase } from "../../src/stores/postgres/testing/database.ts";
import { runStatements } from "../../src/stores/postgres/testing/sql.ts";
import { numberedIsbn } from "../during-tests.ts";
import { colophon, fetchAs, startColophon, temporaryFolder } from "../process.ts";
import { reportFault } from "./fault-report.ts";

const folder = temporaryFolder();
const env = { COLOPHON_JWT_SECRET: "a secret for the catalog on PostgreSQL" };
let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
  const feed = join(folder, "feed.xml");
  writeFileSync(
    feed,
    message(...Array.from({ length: 300 }, (_, number) => product({ isbn: numberedIsbn(number) }))),
  );
  expect((await colophon(["import", "--db", database.url, feed])).code).toBe(0);
});
afterAll(() => database[Symbol.asyncDispose]());

test("a damaged record returns 500 and is named in the log and by verify", async () => {
  const intact = await colophon(["verify", "--db", database.url]);
  expect([intact.code, intact.stdout]).toEqual([0, expect.stringContaining("300 records, all intact")]);
  const damaged = numberedIsbn(123);
  await runStatements(
    database.url,
    `UPDATE colophon.record SET body = set_byte(body, 200, get_byte(body, 200) # 1) WHERE isbn = ${damaged}`,
  );
  const found = await colophon(["verify", "--db", database.url]);
  expect([found.code, found.stdout.split("\n")[0]]).toEqual([
    1,
    `${damaged}: its bytes do not match its checksum`,
  ]);
  expect(found.stdout).toContain("1 damaged record");
  const token = (await colophon(["token", "--name", "Faults", "--db", database.url], { env })).stdout.trim();
  const server = await startColophon(["--db", database.url], env);
  const get = (path: string) => fetchAs(token, server.url + path);
  const [bad, good] = await Promise.all([get(`/api/isbn/${damaged}`), get(`/api/isbn/${numberedIsbn(124)}`)]);
  expect([bad.status, good.status]).toEqual([500, 200]);
  expect(await bad.text()).not.toMatch(/damaged|colophon\.record| at /);
  await server.stop();
  expect(await server.stderr).toContain(`The record of ${damaged} is damaged`);
  reportFault({
    fault: "a bit of a record is flipped in a catalog on PostgreSQL",
    tried: 1,
    lost: "the record, until a backup is restored; no wrong response",
    checked: "500 without internal details; its ISBN in the log; verify names it and no other",
  });
});
