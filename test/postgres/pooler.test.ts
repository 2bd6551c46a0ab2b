/**
 * Two real services behind PgBouncer, in each of its modes, with fewer sessions on the server than clients. Every response
 * must equal that of a catalog in a file.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { decodeJwt } from "jose";
import { examplePaths } from "../../src/api/testing/example-paths.ts";
import { isMissing } from "../../src/lib/testing/requirements.ts";
import { message, product } from "../../src/onix/testing/message.ts";
import { createDatabase, type TestDatabase } from "../../src/stores/postgres/testing/database.ts";
import {
  PGBOUNCERS,
  type PgBouncer,
  type PoolMode,
  startPgBouncer,
} from "../../src/stores/postgres/testing/pgbouncer.ts";
import { colophon } from "../in-process.ts";
import { SAMPLE, SECRET, type ServeProcess, startColophon, temporaryFolder } from "../process.ts";
import { ISBN } from "./feeds.ts";

const ROUNDS = 2;
/** A client of a session-mode pool keeps its session, so there must be enough for all of them. */
const POOL_SIZES: Readonly<Record<PoolMode, number>> = { session: 40, transaction: 2, statement: 2 };

type Response = readonly [status: number, etag: string | null, body: string];

const folder = temporaryFolder();
const file = join(folder, "catalog.db");
const feed = join(folder, "feed.xml");
const expected = new Map<string, Response>();
const programs = PGBOUNCERS.filter((program) => !isMissing(Bun.which(program) !== null));
let database: TestDatabase;
let token: string;
let revoked: string;

beforeAll(async () => {
  if (programs.length === 0) return;
  database = await createDatabase();
  writeFileSync(feed, message(product({ isbn: ISBN, title: "Through the pooler" })));
  for (const db of [database.url, file]) {
    expect((await colophon(["import", "--db", db, SAMPLE, feed], { env: SECRET })).code).toBe(0);
  }
  token = await issueToken(database.url);
  revoked = await issueToken(database.url);
  const revoke = ["token", "revoke", decodeJwt(revoked).jti!, "--db", database.url];
  expect((await colophon(revoke, { env: SECRET })).code).toBe(0);
  const embedded = await startColophon(["--db", file], SECRET);
  const ownToken = await issueToken(file);
  const skus = JSON.parse((await get(embedded, "/api/skus", ownToken))[2]) as string[];
  const imprints = JSON.parse((await get(embedded, "/api/imprints", ownToken))[2]) as { slug: string }[];
  const paths = [
    ...examplePaths({}, ({ skipsCache }) => !skipsCache),
    "/api/news?date=20000101",
    "/api/imprint/nobody",
    "/api/search?q=la",
    "/api/facets?q=la",
    `/api/isbns/${skus.toReversed().slice(0, 50).join(",")}`,
    `/api/isbns/${skus[0]},9780000000002`,
    "/api/isbn/9780000000002",
    ...imprints.slice(0, 4).map(({ slug }) => `/api/imprint/${slug}`),
    `/api/imprint/${imprints[0]!.slug}?language=spa`,
    ...skus.slice(0, 12).map((isbn) => `/api/isbn/${isbn}`),
  ];
  for (const path of paths) expected.set(path, await get(embedded, path, ownToken));
  await embedded.stop();
});

afterAll(() => database?.[Symbol.asyncDispose]());

async function issueToken(db: string): Promise<string> {
  return (await colophon(["token", "--name", "Shop", "--db", db], { env: SECRET })).stdout.trim();
}

async function get(service: ServeProcess, path: string, bearer: string): Promise<Response> {
  const response = await fetch(service.url + path, {
    headers: { Authorization: `Bearer ${bearer}`, "Accept-Encoding": "identity" },
  });
  return [response.status, response.headers.get("etag"), await response.text()];
}

describe.each([...PGBOUNCERS])("%s", (program) => {
  describe.skipIf(!programs.includes(program))(`${basename(program)} (skipped where it is missing)`, () => {
    describe.each(["session", "transaction", "statement"] as const)("in %s mode", (mode) => {
      let pooler: PgBouncer;
      let services: ServeProcess[];

      beforeAll(async () => {
        pooler = await startPgBouncer(program, database.url, mode, POOL_SIZES[mode]);
        services = await Promise.all([0, 1].map(() => startColophon(["--db", pooler.url], SECRET)));
      });

      afterAll(async () => {
        for (const service of services) expect(await service.stop()).toBe(0);
        await pooler[Symbol.asyncDispose]();
      });

      /** Requests every path from both services at once, and a revoked token in between. */
      async function requestAll(): Promise<void> {
        await Promise.all(
          services.flatMap((service) =>
            [...expected].flatMap(([path, response]) => [
              get(service, path, token).then((actual) =>
                expect([path, ...actual]).toEqual([path, ...response]),
              ),
              get(service, path, revoked).then(([status]) => expect([path, status]).toEqual([path, 401])),
            ]),
          ),
        );
      }

      test("two services return what a catalog in a file returns, and 401 for a revoked token", async () => {
        for (let round = 0; round < ROUNDS; round++) await requestAll();
      });

      if (mode === "statement") {
        test("an import is refused with one line that names the pooler", async () => {
          const { code, stderr } = await colophon(["import", "--db", pooler.url, feed], { env: SECRET });
          expect(code).toBe(1);
          expect(stderr).toMatch(/^[^\n]*pooler at [^\n]* allows no transactions[^\n]*\n$/);
        });
      } else {
        test("an import of the same feeds beside the requests changes nothing", async () => {
          const command = ["import", "--db", pooler.url, SAMPLE, feed];
          const [{ code, stdout }] = await Promise.all([colophon(command, { env: SECRET }), requestAll()]);
          expect([code, stdout]).toEqual([0, expect.stringContaining("The catalog is unchanged.")]);
        });
      }

      test("a token that is revoked through the pooler is rejected from the next request on", async () => {
        const next = await issueToken(pooler.url);
        for (const service of services) expect((await get(service, `/api/isbn/${ISBN}`, next))[0]).toBe(200);
        const revoke = ["token", "revoke", decodeJwt(next).jti!, "--db", pooler.url];
        expect((await colophon(revoke, { env: SECRET })).code).toBe(0);
        for (const service of services) expect((await get(service, `/api/isbn/${ISBN}`, next))[0]).toBe(401);
      });
    });
  });
});
