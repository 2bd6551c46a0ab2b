import { beforeAll, describe, expect, test } from "bun:test";
import { isMissing } from "../../../lib/testing/requirements.ts";
import { DatabaseAddress } from "../connection.ts";
import { serverUrl } from "../testing/database.ts";
import { PGBOUNCERS, startPgBouncer } from "../testing/pgbouncer.ts";
import { errorOf } from "../testing/test-store.ts";
import { Session } from "./session.ts";
import { statement } from "./statement.ts";

const DOUBLE = statement("SELECT 2 * $1::integer AS double");
const NO_ROWS = statement("SELECT $1::integer AS number WHERE false");

let url: string;

beforeAll(async () => {
  url = await serverUrl();
});

async function openSession(at = url): Promise<{ session: Session; address: DatabaseAddress } & Disposable> {
  const address = new DatabaseAddress(at);
  const session = await Session.open(address);
  return { session, address, [Symbol.dispose]: () => session.close() };
}

async function double(session: Session, number: number): Promise<number[]> {
  const { rows } = await session.execute<{ double: number }>(DOUBLE, [number]);
  return rows.map((row) => row.double);
}

describe("a session of the server itself", () => {
  test("is dedicated", async () => {
    using opened = await openSession();
    expect([opened.session.isDedicated, opened.address.isShared]).toEqual([true, false]);
  });

  test("returns the rows of a statement, and none for a statement without rows", async () => {
    using opened = await openSession();
    expect(await double(opened.session, 21)).toEqual([42]);
    expect((await opened.session.execute(NO_ROWS, [1])).rows).toEqual([]);
  });

  test("returns the rows that a statement has written", async () => {
    using opened = await openSession();
    await opened.session.run((sql) => sql.unsafe("CREATE TEMP TABLE written (id TEXT)"));
    const insert = statement("INSERT INTO written VALUES ($1) RETURNING id");
    const inserted = await opened.session.execute<{ id: string }>(insert, ["a"]);
    expect(inserted.rows.map(({ id }) => id)).toEqual(["a"]);
    const count = statement("SELECT count(*)::integer AS count FROM written");
    const counted = await opened.session.execute<{ count: number }>(count, []);
    expect(counted.rows.map((row) => row.count)).toEqual([1]);
  });

  test("counts as shared when the URL has prepare=false", async () => {
    using opened = await openSession(`${url}?prepare=false`);
    expect([opened.session.isDedicated, opened.address.isShared]).toEqual([false, true]);
    expect(await double(opened.session, 21)).toEqual([42]);
  });
});

/** Another client of a shared session replaces the prepared statements. Bun's client names its first one P0. */
describe("a session whose prepared statements another client replaces", () => {
  const sameColumns = "SELECT 'x' || $2::text AS result_of, true AS found, $1::integer AS double";
  const others = {
    "with the same columns": sameColumns,
    "without rows": `${sameColumns} WHERE false`,
    "with other columns": "SELECT $1::integer, $2::text",
    "with other parameters": "SELECT $1::text, true, 1",
  };

  for (const [title, other] of Object.entries(others)) {
    test(`rejects the result of a statement ${title}`, async () => {
      using opened = await openSession();
      await opened.session.execute(DOUBLE, [1]);
      await opened.session.run((sql) => sql.unsafe(`DEALLOCATE ALL; PREPARE "P0" AS ${other}`));
      expect(await errorOf(() => opened.session.execute(DOUBLE, [21]))).toMatch(
        /^StoreError: PostgreSQL at .* gave the result of another query/,
      );
      expect([opened.address.isShared, opened.session.isUsable]).toEqual([true, false]);
    });
  }

  test("is followed by a session without prepared statements", async () => {
    using opened = await openSession();
    await opened.session.execute(DOUBLE, [1]);
    await opened.session.run((sql) => sql.unsafe(`DEALLOCATE ALL; PREPARE "P0" AS ${sameColumns}`));
    await errorOf(() => opened.session.execute(DOUBLE, [21]));
    const next = await Session.open(opened.address);
    expect(next.isDedicated).toBe(false);
    expect(await double(next, 21)).toEqual([42]);
    next.close();
  });
});

describe.each([...PGBOUNCERS])("a session of %s", (program) => {
  const skipped = isMissing(Bun.which(program) !== null);

  for (const mode of ["session", "transaction", "statement"] as const) {
    for (const ignored of ["", "colophon.session"]) {
      const behaviour = ignored === "" ? "rejects" : "ignores";
      test.skipIf(skipped)(
        `in ${mode} mode, which ${behaviour} the parameter, is not dedicated`,
        async () => {
          const settings: Record<string, string> =
            ignored === "" ? {} : { ignore_startup_parameters: ignored };
          await using pooler = await startPgBouncer(program, url, mode, 1, settings);
          using opened = await openSession(pooler.url);
          expect([opened.session.isDedicated, opened.address.isShared]).toEqual([false, true]);
          expect(await double(opened.session, 21)).toEqual([42]);
        },
      );
    }
  }
});

test("a lost connection makes a session unusable", async () => {
  using opened = await openSession();
  using other = await openSession();
  const pid = statement("SELECT pg_backend_pid() AS pid");
  const [row] = (await opened.session.execute<{ pid: number }>(pid, [])).rows;
  await other.session.execute(statement("SELECT pg_terminate_backend($1::integer)"), [row!.pid]);
  expect(await errorOf(() => opened.session.execute(pid, []))).not.toBe("no error");
  expect(opened.session.isUsable).toBe(false);
});
