import { expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { feedXml } from "../../src/ingest/watch/testing/feeds.ts";
import { createDatabase } from "../../src/stores/postgres/testing/database.ts";
import { colophon, SECRET, temporaryFolder } from "../process.ts";

const folder = temporaryFolder();

test("colophon watch takes feeds for PostgreSQL as for a file", async () => {
  await using database = await createDatabase();
  const db = database.url;

  expect((await colophon(["init", "--db", db])).stderr).toContain("set COLOPHON_JWT_SECRET");
  const created = await colophon(["init", "--db", db], { env: SECRET });
  expect([created.code, created.stdout]).toEqual([0, expect.stringMatching(/^eyJ/)]);
  expect(await colophon(["init", "--db", db], { env: SECRET })).toMatchObject({ code: 1, stdout: "" });
  const feeds = join(folder, "feeds");
  mkdirSync(feeds);
  const put = (name: string, content: string) => writeFileSync(join(feeds, name), content);
  const isThere = (path: string) => existsSync(join(feeds, path));
  put("2.xml", feedXml({ title: "Second", sent: "20240102" }));
  put("1.xml", feedXml({ title: "First" }));
  put("bad.xml", "<x");
  const result = await colophon(["watch", feeds, "--db", db, "--once", "--settle", "0"]);
  expect([result.code, result.stdout]).toEqual([
    1,
    expect.stringContaining("3 feeds: 2 changed the catalog"),
  ]);
  expect((await colophon(["export", "--db", db])).stdout).toContain('"Second"');
  put("2.xml", feedXml({ title: "Second", sent: "20240102" }));
  const again = await colophon(["watch", feeds, "--db", db, "--once", "--settle", "0"]);
  expect([again.code, again.stdout]).toEqual([
    0,
    expect.stringContaining("0 changed the catalog, 1 changed nothing"),
  ]);
  expect([isThere("done/2.xml"), isThere("done/2.2.xml"), isThere("refused/bad.xml")]).toEqual([
    true,
    true,
    true,
  ]);
});
