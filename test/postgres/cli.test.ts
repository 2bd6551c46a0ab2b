/** The commands on PostgreSQL as an operator runs them. Responses must equal those of a catalog in a file. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { decodeJwt } from "jose";
import { examplePaths } from "../../src/api/testing/example-paths.ts";
import { message, product } from "../../src/onix/testing/message.ts";
import { createDatabase, serverUrl, type TestDatabase } from "../../src/stores/postgres/testing/database.ts";
import { databaseUrl, runStatements } from "../../src/stores/postgres/testing/sql.ts";
import { colophon } from "../in-process.ts";
import { fetchAs, nextColophon, SAMPLE, SECRET, startColophon, temporaryFolder } from "../process.ts";
import { ISBN, OTHER } from "./feeds.ts";

const role = { name: `colophon_cli_reader_${process.pid}`, password: "a password for the tests" };
const folder = temporaryFolder();
const file = join(folder, "catalog.db");
let database: TestDatabase;

const run = (args: readonly string[], stdin?: string) =>
  colophon([...args, "--db", database.url], { env: SECRET, ...(stdin !== undefined && { stdin }) });

beforeAll(async () => {
  database = await createDatabase();
});

afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await runStatements(await serverUrl(), `DROP ROLE IF EXISTS ${role.name}`);
});

describe("without a catalog", () => {
  for (const args of [
    ["stats"],
    ["export"],
    ["check", SAMPLE],
    ["token", "list"],
    ["token", "--name", "x"],
    ["token", "revoke", "x"],
    ["serve", "--port", "0"],
  ]) {
    test(`"colophon ${args.join(" ").replace(SAMPLE, "FEED")}" exits with 1 and recommends init`, async () => {
      const { code, stdout, stderr } = await run(args);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain('create one with "colophon init"');
    });
  }

  test("colophon migrate creates the schema once", async () => {
    expect(await run(["migrate"])).toMatchObject({ code: 0, stdout: "An empty catalog was created.\n" });
    expect(await run(["migrate"])).toMatchObject({ code: 0, stdout: "The catalog is up to date.\n" });
  });
});

describe("with a catalog", () => {
  beforeAll(async () => {
    for (const db of [database.url, file]) {
      const { code } = await colophon(["import", "--db", db, SAMPLE], { env: SECRET });
      expect(code).toBe(0);
    }
  });

  test("import and check report that a repeated feed changes nothing", async () => {
    expect((await run(["import", SAMPLE])).stdout).toContain("The catalog is unchanged.");
    expect((await run(["check", SAMPLE])).stdout).toContain("The catalog would not change.");
  });

  test("check writes nothing", async () => {
    const before = (await run(["stats"])).stdout;
    expect((await run(["check", "-"], message(product({ isbn: ISBN })))).stdout).toContain("1 added");
    expect((await run(["stats"])).stdout).toBe(before);
  });

  test("every response has the same bytes and ETag as that of a file", async () => {
    const services = await Promise.all([
      startColophon(["--db", database.url], SECRET),
      startColophon(["--db", file], SECRET),
    ]);
    const tokens = await Promise.all(
      [database.url, file].map(async (db) =>
        (await colophon(["token", "--name", "Shop", "--db", db], { env: SECRET })).stdout.trim(),
      ),
    );
    const get = async (index: number, path: string) => {
      const response = await fetch(services[index]!.url + path, {
        headers: { Authorization: `Bearer ${tokens[index]}`, "Accept-Encoding": "identity" },
      });
      return [response.status, response.headers.get("etag"), await response.text()] as const;
    };
    const isbns = JSON.parse((await get(0, "/api/skus"))[2]) as string[];
    const imprints = JSON.parse((await get(0, "/api/imprints"))[2]) as { slug: string }[];
    const paths = [
      ...examplePaths({}, ({ skipsCache }) => !skipsCache),
      "/api/news?date=20000101",
      "/api/search?q=la",
      "/api/search?q=la&limit=7&view=record",
      "/api/search?q=mar*+-sea&sort=title",
      "/api/search?q=%22de+la%22&sort=oldest",
      "/api/search?language=spa&form=BC&limit=300",
      "/api/search?subject=F&from=2010-01-01&sort=title&limit=100",
      "/api/search?contributor=mar%C3%ADa",
      "/api/search?q=%22la",
      "/api/facets?q=la",
      "/api/facets?language=eng&to=20151231",
      "/api/translations",
      `/api/isbns/${isbns.toReversed().slice(0, 100).join(",")}`,
      `/api/isbns/${isbns[0]},9780000000002`,
      "/api/imprint/nobody",
      ...imprints.flatMap(({ slug }) => [`/api/imprint/${slug}`, `/api/imprint/${slug}?language=spa`]),
      ...isbns.slice(0, 40).map((isbn) => `/api/isbn/${isbn}`),
    ];
    expect(isbns.length).toBeGreaterThan(200);
    for (const path of paths) expect([path, await get(0, path)]).toEqual([path, await get(1, path)]);
    // The same holds when all paths are requested at once.
    const sequential: Awaited<ReturnType<typeof get>>[] = [];
    for (const path of paths) sequential.push(await get(1, path));
    for (let round = 0; round < 10; round++) {
      const concurrent = await Promise.all(paths.map((path) => get(0, path)));
      for (const [index, path] of paths.entries())
        expect([path, concurrent[index]!]).toEqual([path, sequential[index]!]);
    }
    for (const service of services) expect(await service.stop()).toBe(0);
    for (const format of ["ndjson", "onix"]) {
      const [remote, local] = await Promise.all(
        [database.url, file].map((db) =>
          colophon(["export", "--format", format, "--db", db], { env: SECRET }),
        ),
      );
      const withoutDate = (text: string) => text.replace(/<SentDateTime>[^<]*/, "");
      expect(withoutDate(remote!.stdout)).toBe(withoutDate(local!.stdout));
    }
  });

  test("serve without a key exits with 1 and names the variables to set", async () => {
    const { code, stdout, stderr } = await colophon(["serve", "--port", "0", "--db", database.url]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("COLOPHON_JWT_SECRET");
    expect(stderr).toContain("COLOPHON_JWT_KEYS");
    expect((await colophon(["token", "--name", "x", "--db", database.url])).code).toBe(1);
  });

  test("commands that read need only SELECT; serve sees tokens, revocations and imports of others", async () => {
    await runStatements(
      database.url,
      `CREATE ROLE ${role.name} LOGIN PASSWORD '${role.password}'`,
      `GRANT USAGE ON SCHEMA colophon TO ${role.name}`,
      `GRANT SELECT ON ALL TABLES IN SCHEMA colophon TO ${role.name}`,
    );
    const db = ["--db", databaseUrl(database.url, database.name, role)];
    const service = await startColophon(db, SECRET);
    const token = (await run(["token", "--name", "Shop"])).stdout.trim();
    const status = async (path: string) => (await fetchAs(token, service.url + path)).status;
    expect(await status(`/api/isbn/${OTHER}`)).toBe(404);
    expect((await run(["import", "-"], message(product({ isbn: OTHER })))).code).toBe(0);
    for (const path of examplePaths({ isbn: OTHER, isbns: OTHER, imprint: "sello" })) {
      expect([path, await status(path)]).toEqual([path, 200]);
    }
    const checked = await colophon(["check", "--diff", "-", ...db], {
      stdin: message(product({ isbn: OTHER, title: "Other" })),
    });
    expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('"new":"Other"')]);
    for (const args of [["export"], ["token", "list"]])
      expect((await colophon([...args, ...db], { env: SECRET })).code).toBe(0);
    for (const args of [
      ["token", "--name", "x"],
      ["import", "-"],
      ["token", "revoke", decodeJwt(token).jti!],
    ]) {
      const rejected = await colophon([...args, ...db], { env: SECRET, stdin: message() });
      expect(rejected.code).toBe(1);
      expect(rejected.stderr).toContain("lacks a privilege");
    }
    expect((await run(["token", "revoke", decodeJwt(token).jti!])).code).toBe(0);
    expect(await status(`/api/isbn/${OTHER}`)).toBe(401);
    expect(await service.stop()).toBe(0);
  });
});

/** Stands last: the migration is not undone. */
describe("with a catalog of an older format", () => {
  const runNext = (args: readonly string[]) => nextColophon([...args, "--db", database.url], { env: SECRET });

  for (const args of [
    ["serve", "--port", "0"],
    ["serve", "--port", "0", "--create"],
    ["import", SAMPLE],
    ["check", SAMPLE],
    ["export"],
    ["stats"],
    ["history"],
    ["verify"],
    ["token", "list"],
    ["token", "--name", "x"],
    ["token", "revoke", "x"],
  ]) {
    test(`"colophon ${args.join(" ").replace(SAMPLE, "FEED")}" exits with 1 and names migrate`, async () => {
      const { code, stdout, stderr } = await runNext(args);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(
        /older Colophon \(format 1, this version needs 2\); run "colophon migrate" once/,
      );
    });
  }

  test("migrate says what it needs and what it has done", async () => {
    expect(await runNext(["migrate"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^The catalog at .* is migrated from format 1 to 2; this needs up to \d+ MB of free space on the disk of the server\. Colophon cannot see how much is free there\.\nThe catalog was migrated from format 1 to 2\.\n$/,
      ),
    });
    expect((await runNext(["stats"])).code).toBe(0);
    expect((await run(["stats"])).stderr).toContain("was made by a newer Colophon (format 2,");
  });
});
