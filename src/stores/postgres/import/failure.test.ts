/** Imports under the timeouts that an operator has set for the role or the database. */
import { describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { anyRun } from "../../../catalog/testing/import-runs.ts";
import { books } from "../../testing/books.ts";
import { serverUrl } from "../testing/database.ts";
import { queryValue, runStatements } from "../testing/sql.ts";
import { errorOf, openTestStore, type PostgresTestStore } from "../testing/test-store.ts";
import { IMPORT_DEADLINES } from "./session.ts";
import * as statements from "./statements.ts";

/** `transaction_timeout` exists from PostgreSQL 17 on. */
const HAS_TRANSACTION_TIMEOUT =
  Number(await queryValue(await serverUrl(), "SHOW server_version_num")) >= 170_000;

async function openWithLimits(limits: Record<string, string>): Promise<PostgresTestStore> {
  const testStore = await openTestStore();
  const { url, name } = testStore.database;
  const statements = Object.entries(limits).map(
    ([limit, value]) => `ALTER DATABASE ${name} SET ${limit} = '${value}'`,
  );
  await runStatements(url, ...statements);
  return testStore;
}

describe.concurrent("an import", () => {
  test("with a slow feed succeeds under timeouts that are shorter than the import", async () => {
    await using testStore = await openWithLimits({
      idle_in_transaction_session_timeout: "3s",
      statement_timeout: "3s",
    });
    const transaction = await testStore.reopen().beginImport();
    // So many records begin a COPY, which would last until the commit.
    await transaction.put(books(1, 40, { title: "t".repeat(100_000) }), 1);
    // Longer than both timeouts.
    await runStatements(await serverUrl(), "SELECT pg_sleep(4)");
    await transaction.commit("1".repeat(32), anyRun());
    expect((await testStore.store.stats()).records).toBe(40);
  });

  test("names the statement_timeout of its role when it is too short", async () => {
    await using testStore = await openWithLimits({ statement_timeout: "3s" });
    const transaction = await testStore.reopen().beginImport();
    const blocker = new SQL(testStore.database.url, { max: 1 });
    const blocking = await blocker.reserve();
    await blocking.unsafe("BEGIN; LOCK TABLE colophon.sender IN ACCESS EXCLUSIVE MODE");
    expect(await errorOf(() => transaction.lastMessage("a"))).toMatch(
      /^StoreError: PostgreSQL at .* has ended the import because of statement_timeout; raise it for the role: ALTER ROLE/,
    );
    await blocking.unsafe("ROLLBACK");
    await blocker.close({ timeout: 0 });
    await transaction.abort();
  });

  test("says that another import is running when statement_timeout ends the wait for it", async () => {
    await using testStore = await openWithLimits({ statement_timeout: "1s" });
    const other = await testStore.store.beginImport();
    const store = testStore.reopen();
    expect(await errorOf(() => store.beginImport())).toMatch(
      /^StoreError: Another import into .* is running/,
    );
    await other.abort();
  });

  test.skipIf(!HAS_TRANSACTION_TIMEOUT)(
    "names the transaction_timeout of its role when it is too short",
    async () => {
      await using testStore = await openWithLimits({ transaction_timeout: "3s" });
      const importDeadlines = { ...IMPORT_DEADLINES, maxHeartbeatMs: 200 };
      const transaction = await testStore.reopen({ importDeadlines }).beginImport();
      expect(await errorOf(() => transaction.failure)).toMatch(/because of transaction_timeout/);
      await transaction.abort();
    },
  );
});

describe("the transactions of an import", () => {
  const settingsOf = async (idleLimit: string) => {
    const sql = new SQL(await serverUrl(), {
      max: 1,
      connection: { idle_in_transaction_session_timeout: idleLimit },
    });
    try {
      return await sql.begin(async (connection) => {
        // The transaction has begun, so that BEGIN is only a warning.
        await connection.unsafe(statements.BEGIN);
        await connection.unsafe(statements.SET_LIMITS, [IMPORT_DEADLINES.maxIdleMs]);
        const rows = await connection.unsafe<{ name: string; value: string }[]>(
          `SELECT name, current_setting(name) AS value FROM pg_settings
           WHERE name ~ '^(tcp_|client_connection_|idle_in_transaction_|statement_timeout)'`,
        );
        return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
      });
    } finally {
      await sql.close({ timeout: 0 });
    }
  };

  test("end within half a minute after the importing machine has vanished", async () => {
    expect(await settingsOf("0")).toEqual({
      tcp_keepalives_idle: "10",
      tcp_keepalives_interval: "5",
      tcp_keepalives_count: "4",
      tcp_user_timeout: "30000",
      client_connection_check_interval: "10s",
      idle_in_transaction_session_timeout: "45s",
      statement_timeout: "0",
    });
  });

  test("keep a lower limit of the role, and lower a higher one", async () => {
    expect((await settingsOf("7s")).idle_in_transaction_session_timeout).toBe("7s");
    expect((await settingsOf("10min")).idle_in_transaction_session_timeout).toBe("45s");
  });
});
