import { expect, test } from "bun:test";
import { anyRun } from "../../catalog/testing/import-runs.ts";
import { waitFor } from "../../lib/testing/wait-for.ts";
import { book, importBooks, isbn } from "../testing/books.ts";
import { openPostgres } from "./store.ts";
import { queryValue, runStatements } from "./testing/sql.ts";
import { errorOf, openTestStore } from "./testing/test-store.ts";

test("an error message has no password", async () => {
  const store = openPostgres("postgres://shop:keepitsecret@127.0.0.1:1/books");
  const message = await errorOf(() => store.stats());
  expect(message).toMatch(/^StoreError: PostgreSQL at 127\.0\.0\.1:1\/books does not respond/);
  expect(message).not.toContain("keepitsecret");
  await store.close();
});

test.each(["sslmod=require", "statement_timeout=soon"])(
  "an error message names the parameter of the URL in ?%s",
  async (parameter) => {
    await using testStore = await openTestStore();
    const store = testStore.reopen({}, `${testStore.database.url}?${parameter}`);
    const name = parameter.slice(0, parameter.indexOf("="));
    expect(await errorOf(() => store.stats())).toMatch(
      new RegExp(`^StoreError: .* rejects a parameter of the URL \\(.*"${name}".*\\); correct or remove it`),
    );
  },
);

test("an import waits for another one up to its timeout", async () => {
  await using testStore = await openTestStore();
  const first = await testStore.store.beginImport();
  const hasty = testStore.reopen({ importLockTimeoutMs: 50 });
  expect(await errorOf(() => hasty.beginImport())).toMatch(/^StoreError: Another import into .* is running/);
  await first.put([book(1)], 1);
  await first.commit("1".repeat(32), anyRun());
  await (await hasty.beginImport()).abort();
});

test("an import overrides the isolation default of the database", async () => {
  await using testStore = await openTestStore();
  await runStatements(
    testStore.database.url,
    `ALTER DATABASE ${testStore.database.name} SET default_transaction_isolation = 'serializable'`,
  );
  const [first, second] = [testStore.reopen(), testStore.reopen()];
  const transaction = await first.beginImport();
  const waiting = second.beginImport();
  await transaction.put([book(1)], 1);
  await transaction.statusOf([isbn(2)]);
  await transaction.commit("1".repeat(32), anyRun());
  const next = await waiting;
  expect(next.revision).toBe("1".repeat(32));
  await next.abort();
});

test("an import fails at its next call when the server ends its session, and leaves nothing", async () => {
  await using testStore = await openTestStore();
  await importBooks(testStore.store, [book(1)]);
  const transaction = await testStore.store.beginImport();
  await transaction.put([book(2)], 1);
  await transaction.statusOf([isbn(2)]);
  await runStatements(
    testStore.database.url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE xact_start IS NOT NULL AND pid <> pg_backend_pid()
     AND datname = current_database() AND application_name = 'colophon import'`,
  );
  expect(await errorOf(() => transaction.statusOf([isbn(3)]))).toMatch(
    /^StoreError: PostgreSQL at .* does not respond/,
  );
  expect(await errorOf(() => transaction.put([book(3)], 1))).toContain("does not respond");
  expect(await errorOf(() => transaction.commit("2".repeat(32), anyRun()))).toContain("does not respond");
  await transaction.abort();
  expect((await testStore.store.stats()).records).toBe(1);
  await importBooks(testStore.store, [book(2)]);
  expect((await testStore.store.stats()).records).toBe(2);
});

test("the role's timeout ends the transaction of a preview, and the error names it", async () => {
  await using testStore = await openTestStore();
  await importBooks(testStore.store, [book(1)]);
  const { url, name } = testStore.database;
  await runStatements(url, `ALTER DATABASE ${name} SET idle_in_transaction_session_timeout = '50ms'`);
  const open =
    "SELECT count(*)::integer FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'";
  const usePreview = async () => {
    // On a busy machine, the transaction ends before this returns.
    const preview = await testStore.reopen().beginPreview();
    await waitFor("the transaction has ended", async () => (await queryValue(url, open)) === 0);
    await preview.statusOf([isbn(1)]);
  };
  expect(await errorOf(usePreview)).toMatch(
    /^StoreError: PostgreSQL at .* (idle-in-transaction timeout|does not respond)/,
  );
});

test("a closed store rejects every call", async () => {
  await using testStore = await openTestStore();
  const store = testStore.reopen();
  await store.stats();
  await store.close();
  for (const act of [
    () => store.record(isbn(1)),
    () => store.snapshot(),
    () => store.revision(),
    () => store.tokens.isRevoked("a"),
    () => store.beginImport(),
  ]) {
    expect(await errorOf(act)).toContain("closed");
  }
});
