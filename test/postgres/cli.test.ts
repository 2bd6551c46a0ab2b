/** The command on a server, as the operator runs it; and that its answers are those of a file. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { decodeJwt } from "jose";
import { message, product } from "../../src/onix/testing/message.ts";
import { createDatabase, serverUrl, type TestDatabase } from "../../src/stores/postgres/testing/database.ts";
import { databaseUrl, runStatements } from "../../src/stores/postgres/testing/sql.ts";
import { colophon, startColophon, temporaryFolder } from "../process.ts";
import { ISBN, OTHER, SECRET } from "./feeds.ts";

setDefaultTimeout(60_000);

const SAMPLE = join(import.meta.dir, "../../sample/catalog.xml");
const role = { name: `colophon_cli_reader_${process.pid}`, password: "a word for the tests" };
const folder = temporaryFolder();
const file = join(folder.path, "catalog.db");
let place: TestDatabase;

const run = (args: readonly string[], stdin?: string) =>
  colophon([...args, "--db", place.url], { env: SECRET, ...(stdin !== undefined && { stdin }) });

beforeAll(async () => {
  place = await createDatabase();
});

afterAll(async () => {
  await place[Symbol.asyncDispose]();
  await runStatements(await serverUrl(), `DROP ROLE IF EXISTS ${role.name}`);
  folder.remove();
});

describe("before there is a catalog", () => {
  for (const args of [
    ["stats"],
    ["export"],
    ["check", SAMPLE],
    ["token", "list"],
    ["token", "--name", "x"],
  ]) {
    test(`colophon ${args[0]}: exit 1, and what to do`, async () => {
      const { code, stdout, stderr } = await run(args);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain('run "colophon migrate"');
    });
  }

  test("colophon migrate makes the place for one, once", async () => {
    expect(await run(["migrate"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("from format 0 to"),
    });
    expect(await run(["migrate"])).toMatchObject({ code: 0, stdout: "The catalog is up to date.\n" });
  });
});

describe("with a catalog", () => {
  beforeAll(async () => {
    for (const db of [place.url, file]) {
      const { code } = await colophon(["import", "--db", db, SAMPLE], { env: SECRET });
      expect(code).toBe(0);
    }
  });

  test("the same feed again changes nothing; check says so too", async () => {
    expect((await run(["import", SAMPLE])).stdout).toContain("The catalog is unchanged.");
    expect((await run(["check", SAMPLE])).stdout).toContain("The catalog would not change.");
  });

  test("check writes nothing", async () => {
    const before = (await run(["stats"])).stdout;
    expect((await run(["check", "-"], message(product({ isbn: ISBN })))).stdout).toContain("1 added");
    expect((await run(["stats"])).stdout).toBe(before);
  });

  test("every answer is that of a file, byte for byte, with the same tag", async () => {
    const services = await Promise.all([
      startColophon(["--db", place.url], SECRET),
      startColophon(["--db", file], SECRET),
    ]);
    const tokens = await Promise.all(
      [place.url, file].map(async (db) =>
        (await colophon(["token", "--name", "Shop", "--db", db], { env: SECRET })).stdout.trim(),
      ),
    );
    const get = async (at: number, path: string) => {
      const response = await fetch(services[at]!.url + path, {
        headers: { Authorization: `Bearer ${tokens[at]}`, "Accept-Encoding": "identity" },
      });
      return [response.status, response.headers.get("etag"), await response.text()] as const;
    };
    const isbns = JSON.parse((await get(0, "/api/skus"))[2]) as string[];
    const imprints = JSON.parse((await get(0, "/api/imprints"))[2]) as { slug: string }[];
    const paths = [
      "/api/skus",
      "/api/imprints",
      "/api/news",
      "/api/news?date=20000101",
      "/api/translations",
      `/api/isbns/${isbns.toReversed().slice(0, 100).join(",")}`,
      `/api/isbns/${isbns[0]},9780000000002`,
      "/api/imprint/nobody",
      ...imprints.flatMap(({ slug }) => [`/api/imprint/${slug}`, `/api/imprint/${slug}?language=spa`]),
      ...isbns.slice(0, 40).map((isbn) => `/api/isbn/${isbn}`),
    ];
    expect(isbns.length).toBeGreaterThan(200);
    for (const path of paths) expect([path, await get(0, path)]).toEqual([path, await get(1, path)]);
    // And so it stays when everything is asked for at once.
    const alone: Awaited<ReturnType<typeof get>>[] = [];
    for (const path of paths) alone.push(await get(1, path));
    for (let round = 0; round < 10; round++) {
      const together = await Promise.all(paths.map((path) => get(0, path)));
      for (const [at, path] of paths.entries()) expect([path, together[at]!]).toEqual([path, alone[at]!]);
    }
    for (const service of services) expect(await service.stop()).toBe(0);
    for (const format of ["ndjson", "onix"]) {
      const [server, local] = await Promise.all(
        [place.url, file].map((db) => colophon(["export", "--format", format, "--db", db], { env: SECRET })),
      );
      const undated = (text: string) => text.replace(/<SentDateTime>[^<]*/, "");
      expect(undated(server!.stdout)).toBe(undated(local!.stdout));
    }
  });

  test("neither key: the service refuses to start, and says which variable to set", async () => {
    const { code, stdout, stderr } = await colophon(["serve", "--port", "0", "--db", place.url]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("COLOPHON_JWT_SECRET");
    expect(stderr).toContain("COLOPHON_JWT_KEYS");
    expect((await colophon(["token", "--name", "x", "--db", place.url])).code).toBe(1);
  });

  test("serve needs no more than to read: a role with SELECT, tokens, revocations and imports of others", async () => {
    await runStatements(
      place.url,
      `CREATE ROLE ${role.name} LOGIN PASSWORD '${role.password}'`,
      `GRANT USAGE ON SCHEMA colophon TO ${role.name}`,
      `GRANT SELECT ON ALL TABLES IN SCHEMA colophon TO ${role.name}`,
    );
    const db = ["--db", databaseUrl(place.url, place.name, role)];
    const service = await startColophon(db, SECRET);
    const token = (await run(["token", "--name", "Shop"])).stdout.trim();
    const status = async (path: string) =>
      (await fetch(service.url + path, { headers: { Authorization: `Bearer ${token}` } })).status;
    expect(await status(`/api/isbn/${OTHER}`)).toBe(404);
    expect((await run(["import", "-"], message(product({ isbn: OTHER })))).code).toBe(0);
    for (const path of [
      `/api/isbn/${OTHER}`,
      "/api/imprint/sello",
      "/api/imprints",
      "/api/news",
      "/api/skus",
    ]) {
      expect([path, await status(path)]).toEqual([path, 200]);
    }
    for (const args of [
      ["token", "--name", "x"],
      ["import", "-"],
      ["token", "revoke", decodeJwt(token).jti!],
    ]) {
      const refused = await colophon([...args, ...db], { env: SECRET, stdin: message() });
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain("lacks a privilege");
    }
    expect((await run(["token", "revoke", decodeJwt(token).jti!])).code).toBe(0);
    expect(await status(`/api/isbn/${OTHER}`)).toBe(401);
    expect(await service.stop()).toBe(0);
  });
});
