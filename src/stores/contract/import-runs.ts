import { expect } from "bun:test";
import { type ImportDetails, NO_DETAILS } from "../../catalog/history/import-details.ts";
import { type ImportRun, KEPT_IMPORT_RUNS, StartedImport } from "../../catalog/import-run.ts";
import { emptyCounts } from "../../catalog/report.ts";
import type { Store } from "../../catalog/store.ts";
import { book, books, importBooks, isbn } from "../testing/books.ts";
import { type DatabaseEngine, storeTests } from "../testing/engines.ts";

const COUNTS = { ...emptyCounts(), added: 2, rejected: 1, warnings: 7 };

function digestOf(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

/** Returns the details of an import of feeds with these names, whose content is their name. */
function detailsOf(...names: readonly string[]): ImportDetails {
  const header = { sender: "Ñandú\u202e", sent: "20260101T1200Z", messageNumber: "7" };
  const feeds = names.map((name, index) => {
    const sha256 = digestOf(name);
    return { number: index + 1, name, sha256, bytes: name.length, ...header };
  });
  return { ...NO_DETAILS, durationMs: 1234, feeds };
}

async function commitUnchanged(store: Store, details = detailsOf("a")): Promise<ImportRun> {
  const started = new StartedImport();
  const transaction = await store.beginImport();
  const run = started.applied(false, { ...emptyCounts(), unchanged: 3 });
  await transaction.commit(transaction.revision, run, { details });
  return run;
}

export function importRunsContract(engine: DatabaseEngine): void {
  const test = storeTests(engine);
  test("stats has no import before the first", async ({ store }) => {
    expect(await store.stats()).toMatchObject({ lastImport: undefined, lastApplied: undefined });
  });

  test("stats returns the run of a commit, also in another process", async (testStore) => {
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

  test("a run without changes is stored, and neither revision nor time of the last change is touched", async (testStore) => {
    const { store, reopen } = testStore;
    await importBooks(store, books(1, 3));
    const before = await store.stats();
    const record = await store.record(isbn(1));
    const run = await commitUnchanged(await reopen());
    expect(run.outcome).toBe("unchanged");
    expect(await store.stats()).toEqual({ ...before, lastImport: run, lastApplied: run });
    expect(await store.revision()).toBe(before.revision);
    expect((await store.record(isbn(1)))?.etag).toBe(record?.etag);
  });

  test("a failed run is stored with its reason, and the last applied one stays known", async (testStore) => {
    const { store, reopen } = testStore;
    await importBooks(store, books(1, 3));
    const before = await store.stats();
    const run = new StartedImport().failed('feed.xml:3:1: "\0" is not XML \ud800');
    await store.recordFailedImport(run);
    const after = await (await reopen()).stats();
    expect(after).toEqual({ ...before, lastImport: run });
    expect(after.lastImport?.message).toBe('feed.xml:3:1: "\ufffd" is not XML \ufffd');
    const applied = await commitUnchanged(store);
    expect(await store.stats()).toMatchObject({ lastImport: applied, lastApplied: applied });
  });

  test("an aborted import leaves no run", async ({ store }) => {
    const transaction = await store.beginImport();
    await transaction.put([book(1)], 1);
    await transaction.abort();
    expect((await store.stats()).lastImport).toBeUndefined();
  });

  test("a failed import takes one number, whether it has begun or not", async ({ store }) => {
    await commitUnchanged(store);
    const transaction = await store.beginImport();
    await transaction.put([book(1)], 1);
    await transaction.abort();
    for (const reason of ["not well-formed", "refused"])
      await store.recordFailedImport(new StartedImport().failed(reason), detailsOf("a"));
    await commitUnchanged(store);
    const runs = await store.importHistory.list(undefined, 10);
    expect(runs.map(({ number, outcome }) => `${number} ${outcome}`)).toEqual([
      "4 unchanged",
      "3 failed",
      "2 failed",
      "1 unchanged",
    ]);
  });

  test("a failure beside a running import is stored or given up soon, and the import goes on", async (testStore) => {
    const { store, reopen } = testStore;
    const transaction = await store.beginImport();
    const other = await reopen();
    await other.recordFailedImport(new StartedImport().failed("refused")).catch(() => {});
    const run = new StartedImport().applied(true, COUNTS);
    await transaction.commit("1".repeat(32), run);
    expect((await other.stats()).lastApplied).toEqual(run);
  });

  test("only the last runs are kept, and the last applied one beyond them", async (testStore) => {
    const { store, runSql, queryValue } = testStore;
    const runs = async () => Number(await queryValue("SELECT count(*) AS value FROM import_run"));
    const feeds = async () => Number(await queryValue("SELECT count(*) AS value FROM import_feed"));
    const age = (count: number) =>
      runSql(
        engine.name !== "postgres"
          ? `UPDATE import_feed SET import_number = import_number - (SELECT max(number) + ${count} FROM import_run);
             UPDATE import_run SET number = number - (SELECT max(number) + ${count} FROM import_run)`
          : `SELECT setval(pg_get_serial_sequence('import_run', 'number'), max(number) + ${count}) FROM import_run`,
      );
    await commitUnchanged(store);
    const applied = await commitUnchanged(store);
    await store.recordFailedImport(new StartedImport().failed("failure 1"), detailsOf("a"));
    expect([await runs(), await feeds()]).toEqual([3, 3]);
    await age(KEPT_IMPORT_RUNS - 2);
    await store.recordFailedImport(new StartedImport().failed("failure 2"), detailsOf("a"));
    // The first one is gone with its feed.
    expect([await runs(), await feeds()]).toEqual([3, 3]);
    await age(KEPT_IMPORT_RUNS);
    await store.recordFailedImport(new StartedImport().failed("failure 3"), detailsOf("a"));
    expect([await runs(), await feeds()]).toEqual([2, 2]);
    const { lastImport, lastApplied } = await store.stats();
    expect([lastImport?.message, lastApplied]).toEqual(["failure 3", applied]);
  });

  test("tells which feeds imports have applied, and not those of failed ones", async ({ store, reopen }) => {
    const [a, b, c] = ["a", "b", "c"].map(digestOf) as [string, string, string];
    await commitUnchanged(store, detailsOf("a", "b"));
    await store.recordFailedImport(new StartedImport().failed("refused"), detailsOf("b", "c"));
    expect(await store.appliedFeeds([a, b, c])).toEqual(new Map([a, b].map((digest) => [digest, 1])));
    await commitUnchanged(store, detailsOf("b"));
    const other = await reopen();
    expect(await other.appliedFeeds([c, b, "x", "'"])).toEqual(new Map([[b, 3]]));
    expect(await other.appliedFeeds([])).toEqual(new Map());
  });

  test("an aborted import has applied no feed, and a feed without a digest is not known", async (testStore) => {
    const { store } = testStore;
    await (await store.beginImport()).abort();
    const [feed] = detailsOf("a").feeds;
    await commitUnchanged(store, { ...NO_DETAILS, feeds: [{ ...feed!, sha256: undefined }] });
    expect(await store.appliedFeeds([digestOf("a")])).toEqual(new Map());
  });

  test("takes thousands of feeds", async ({ store }) => {
    const names = Array.from({ length: 5000 }, (_, index) => `feed-${index}.xml`);
    await commitUnchanged(store, detailsOf(...names));
    expect((await store.appliedFeeds(names.map(digestOf))).size).toBe(5000);
  });
}
