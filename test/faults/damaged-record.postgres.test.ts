/** The same of a catalog on PostgreSQL: a record that is not what was stored is noticed, and named. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { message, product } from "../../src/onix/testing/message.ts";
import { runStatements, type TestDatabase, createDatabase } from "../../src/stores/postgres/testing/server.ts";
import { colophon, startColophon, temporaryFolder } from "../process.ts";
import { reportFault } from "./fault-report.ts";
import { isbnOf } from "./two-state-catalog.ts";

const folder = temporaryFolder();
const env = { COLOPHON_JWT_SECRET: "a secret for the catalog on PostgreSQL" };
let place: TestDatabase;

beforeAll(async () => {
  place = await createDatabase();
  const feed = join(folder.path, "feed.xml");
  writeFileSync(feed, message(...Array.from({ length: 300 }, (_, at) => product({ isbn: isbnOf(at) }))));
  expect((await colophon(["import", "--db", place.url, feed])).code).toBe(0);
}, 60_000);
afterAll(async () => {
  await place[Symbol.asyncDispose]();
  folder.remove();
});

test("a damaged record: 500, named in the log and by verify; before it, all is well", async () => {
  const sound = await colophon(["verify", "--db", place.url]);
  expect([sound.code, sound.stdout]).toEqual([
    0,
    expect.stringContaining("300 records, all of them as they were"),
  ]);
  const hurt = isbnOf(123);
  await runStatements(
    place.url,
    `UPDATE colophon.record SET body = set_byte(body, 200, get_byte(body, 200) # 1) WHERE isbn = ${hurt}`,
  );
  const found = await colophon(["verify", "--db", place.url]);
  expect([found.code, found.stdout.split("\n")[0]]).toEqual([
    1,
    `${hurt}: its bytes are not those that were stored`,
  ]);
  expect(found.stdout).toContain("1 damaged record");
  const token = (await colophon(["token", "--name", "Faults", "--db", place.url], { env })).stdout.trim();
  const server = await startColophon(["--db", place.url], env);
  const get = (path: string) => fetch(server.url + path, { headers: { Authorization: `Bearer ${token}` } });
  const [bad, good] = await Promise.all([get(`/api/isbn/${hurt}`), get(`/api/isbn/${isbnOf(124)}`)]);
  expect([bad.status, good.status]).toEqual([500, 200]);
  expect(await bad.text()).not.toMatch(/damaged|colophon\.record| at /);
  await server.stop();
  expect(await server.stderr).toContain(`The record of ${hurt} is damaged`);
  reportFault({
    fault: "a bit of a record is flipped in a catalog on PostgreSQL",
    tried: 1,
    lost: "the record, until a backup is put in its place; nothing was served wrongly",
    checked: "500 without a word of the inside; its ISBN in the log; verify names it and no other",
  });
}, 60_000);
