import { expect, test } from "bun:test";
import { type ImportRun, KEPT_IMPORT_RUNS, StartedImport } from "../../catalog/import-run.ts";
import { emptyCounts } from "../../catalog/report.ts";
import type { Store } from "../../catalog/store.ts";
import { book, books, importBooks, isbn } from "../testing/books.ts";
import type { DatabaseEngine } from "../testing/engine.ts";

const COUNTS = { ...emptyCounts(), added: 2, rejected: 1, warnings: 7 };

async function commitUnchanged(store: Store): Promise<ImportRun> {
  const started = new StartedImport();
  const transaction = await store.beginImport();
  const run = started.applied(false, { ...emptyCounts(), unchanged: 3 });
  await transaction.commit(transaction.revision, run);
  return run;
}

export function importRunsContract(engine: DatabaseEngine): void {
  test("stats has no import before the first", async () => {
    await using testStore = await engine.createStore();
    expect(await testStore.store.stats()).toMatchObject({ lastImport: undefined, lastApplied: undefined });
  });

  test("stats returns the run of a commit, also in another process", async () => {
    await using testStore = await engine.createStore();
    const started = new StartedImport();
    const transaction = await testStore.store.beginImport();
    await transaction.put(books(1, 2), 1);
    const run = started.applied(true, COUNTS);
    await transaction.commit("1".repeat(32), run);
    for (const store of [testStore.store, await testStore.reopen()]) {
      expect(await store.stats()).toMatchObject({ lastImport: run, lastApplied: run });
    }
    expect(run.outcome).toBe("changed");
  });

  test("a run without changes is stored, and neither revision nor time of the last change is touched", async () => {
    await using testStore = await engine.createStore();
    const { store } = testStore;
    await importBooks(store, books(1, 3));
    const before = await store.stats();
    const record = await store.record(isbn(1));
    const run = await commitUnchanged(await testStore.reopen());
    expect(run.outcome).toBe("unchanged");
    expect(await store.stats()).toEqual({ ...before, lastImport: run, lastApplied: run });
    expect(await store.revision()).toBe(before.revision);
    expect((await store.record(isbn(1)))?.etag).toBe(record?.etag);
  });

  test("a failed run is stored with its reason, and the last applied one stays known", async () => {
    await using testStore = await engine.createStore();
    const { store } = testStore;
    await importBooks(store, books(1, 3));
    const before = await store.stats();
    const run = new StartedImport().failed('feed.xml:3:1: "\0" is not XML \ud800');
    await store.recordFailedImport(run);
    const after = await (await testStore.reopen()).stats();
    expect(after).toEqual({ ...before, lastImport: run });
    expect(after.lastImport?.message).toBe('feed.xml:3:1: "\ufffd" is not XML \ufffd');
    const applied = await commitUnchanged(store);
    expect(await store.stats()).toMatchObject({ lastImport: applied, lastApplied: applied });
  });

  test("an aborted import leaves no run", async () => {
    await using testStore = await engine.createStore();
    const transaction = await testStore.store.beginImport();
    await transaction.put([book(1)], 1);
    await transaction.abort();
    expect((await testStore.store.stats()).lastImport).toBeUndefined();
  });

  test("a failure beside a running import is stored or given up soon, and the import goes on", async () => {
    await using testStore = await engine.createStore();
    const transaction = await testStore.store.beginImport();
    const other = await testStore.reopen();
    await other.recordFailedImport(new StartedImport().failed("refused")).catch(() => {});
    const run = new StartedImport().applied(true, COUNTS);
    await transaction.commit("1".repeat(32), run);
    expect((await other.stats()).lastApplied).toEqual(run);
  });

  test("only the last runs are kept, and the last applied one beyond them", async () => {
    await using testStore = await engine.createStore();
    const { store } = testStore;
    const runs = async () => Number(await testStore.queryValue("SELECT count(*) AS value FROM import_run"));
    await commitUnchanged(store);
    const applied = await commitUnchanged(store);
    for (let count = 0; count <= KEPT_IMPORT_RUNS; count++) {
      await store.recordFailedImport(new StartedImport().failed(`failure ${count}`));
    }
    const { lastImport, lastApplied } = await store.stats();
    expect(lastImport?.message).toBe(`failure ${KEPT_IMPORT_RUNS}`);
    expect(lastApplied).toEqual(applied);
    expect(await runs()).toBe(KEPT_IMPORT_RUNS + 1);
    const next = await commitUnchanged(store);
    await commitUnchanged(store);
    expect(await runs()).toBe(KEPT_IMPORT_RUNS);
    expect(next.id).not.toBe(applied.id);
  });
}
