import { expect } from "bun:test";
import { type ImportDetails, NO_DETAILS, type ReadFeed } from "../../catalog/history/import-details.ts";
import { LISTED_FEEDS, SHOWN_FEEDS } from "../../catalog/history/import-history.ts";
import type { KeptComplaints } from "../../catalog/history/kept-complaints.ts";
import { StartedImport } from "../../catalog/import-run.ts";
import { emptyCounts } from "../../catalog/report.ts";
import { RevisionSum } from "../../catalog/revision.ts";
import type { Entry, Store } from "../../catalog/store.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { book, importBooks, isbn, readSnapshot } from "../testing/books.ts";
import { type DatabaseEngine, storeTests } from "../testing/engines.ts";

const COMPLAINTS: KeptComplaints = {
  total: 7,
  groups: [
    {
      severity: "warning",
      kind: "bad-date",
      text: 'The date "\u001b[2J" is wrong.',
      advice: "Send YYYYMMDD.",
      count: 7,
      examples: [{ isbn: isbn(1), file: "a.xml", line: 12 }],
    },
  ],
};

function feed(number: number, name = `${number}.xml`): ReadFeed {
  const header = { sender: `Sender ${number}`, sent: "20260102", messageNumber: undefined };
  return { number, name, sha256: undefined, bytes: 5_000_000_000, ...header };
}

function detailsOf(...feeds: readonly ReadFeed[]): ImportDetails {
  return { ...NO_DETAILS, durationMs: 1234, feeds, complaints: COMPLAINTS };
}

/** Changes books, feed by feed. Each step is put or removed by the feed of its index plus 1. */
async function importFeeds(store: Store, ...steps: readonly (Entry | Isbn13)[]): Promise<string> {
  const transaction = await store.beginImport();
  const revision = new RevisionSum(transaction.revision);
  for (const [index, step] of steps.entries()) {
    const key = typeof step === "string" ? step : step.isbn;
    const [status] = await transaction.statusOf([key]);
    if (typeof step === "string") await transaction.remove([key], index + 1);
    else await transaction.put([step], index + 1);
    revision.change(status!.etag, typeof step === "string" ? undefined : step.etag);
  }
  const started = new StartedImport();
  const run = started.applied(revision.toString() !== transaction.revision, { ...emptyCounts(), added: 1 });
  const details = detailsOf(...steps.map((_, index) => feed(index + 1)));
  await transaction.commit(revision.toString(), run, { details });
  return revision.toString();
}

const originOf = (store: Store, number: number) => store.importHistory.originOf(isbn(number));
const product = (number: number, members: object): Entry => {
  const entry = book(number);
  const body = Buffer.from(JSON.stringify({ _id: "x", ...members }));
  return { ...entry, body, etag: new Bun.CryptoHasher("md5").update(body).digest("hex") };
};

export function importHistoryContract(engine: DatabaseEngine): void {
  const test = storeTests(engine);
  test("has no import at first", async ({ store }) => {
    const { importHistory } = store;
    expect(await importHistory.list(undefined, 10)).toEqual([]);
    expect(await importHistory.get(1)).toBeUndefined();
    expect(await importHistory.get(1e12)).toBeUndefined();
    expect(await importHistory.originOf(isbn(1))).toBeUndefined();
  });

  test("lists all imports with their feeds and complaints, newest first, page by page", async (testStore) => {
    const { store, reopen } = testStore;
    const first = await importFeeds(store, book(1));
    const failed = new StartedImport().failed("refused");
    const feeds = Array.from({ length: SHOWN_FEEDS + 1 }, (_, index) => feed(index + 1));
    await store.recordFailedImport(failed, { ...detailsOf(...feeds), revisionBefore: first });
    const second = await importFeeds(store, book(2));
    const { importHistory } = await reopen();
    const [newest, middle, oldest] = await importHistory.list(undefined, 10);
    expect(newest).toMatchObject({ outcome: "changed", revisionBefore: first, revisionAfter: second });
    expect(newest).toMatchObject({ durationMs: 1234, feedCount: 1, feeds: [feed(1)] });
    expect(middle).toMatchObject({ ...failed, revisionBefore: first, revisionAfter: first });
    expect(middle).toMatchObject({ feedCount: SHOWN_FEEDS + 1, complaintCount: 7, complaintGroupCount: 1 });
    expect(middle!.feeds).toEqual(feeds.slice(0, LISTED_FEEDS));
    expect([newest, middle, oldest].map((run) => run!.number)).toEqual([3, 2, 1]);
    expect(await importHistory.list(3, 1)).toEqual([middle!]);
    expect(await importHistory.list(1, 10)).toEqual([]);
    const details = await importHistory.get(2);
    expect(details).toEqual({
      ...middle!,
      feeds: feeds.slice(0, SHOWN_FEEDS),
      complaintGroups: COMPLAINTS.groups,
    });
  });

  test("the number of an import is that of its changes, also after failed and unchanged ones", async (testStore) => {
    const { store } = testStore;
    await store.recordFailedImport(new StartedImport().failed("refused"));
    await importFeeds(store, book(1));
    await importFeeds(store, book(1));
    await importFeeds(store, book(1, { title: "x" }));
    const numbers = (await store.importHistory.list(undefined, 10)).map(({ number, outcome }) => [
      number,
      outcome,
    ]);
    expect(numbers).toEqual([
      [4, "changed"],
      [3, "unchanged"],
      [2, "changed"],
      [1, "failed"],
    ]);
    const { newest } = await readSnapshot(store, async (snapshot) => snapshot.history(0));
    expect(newest.number).toBe(4);
    expect(await originOf(store, 1)).toMatchObject({ added: { number: 2 }, changed: { number: 4 } });
  });

  test("tells where a book comes from, and which elements the last change has changed", async (testStore) => {
    const { store, reopen } = testStore;
    const whole = { DescriptiveDetail: { a: [1, "}"] }, "DescriptiveDetail@x": "1", CollateralDetail: 2 };
    await importFeeds(store, book(9), product(1, whole));
    const added = { number: 1, feed: "2.xml", sender: "Sender 2", at: expect.stringMatching(/^20..-/) };
    expect(await originOf(store, 1)).toEqual({
      isbn: isbn(1),
      sender: "",
      reference: `ref-${isbn(1)}`,
      added,
      changed: undefined,
    });
    await importFeeds(
      store,
      product(1, { ...whole, "DescriptiveDetail@x": "2", CollateralDetail: 2, ProductSupply: [] }),
    );
    const blocks = ["DescriptiveDetail", "ProductSupply"];
    const changed = { number: 2, feed: "1.xml", sender: "Sender 1", at: expect.any(String), blocks };
    expect(await originOf(await reopen(), 1)).toMatchObject({ added, changed });
    // The record stays as it is, and so does its last change.
    await importFeeds(store, book(8), {
      ...product(1, { ...whole, "DescriptiveDetail@x": "2", CollateralDetail: 2, ProductSupply: [] }),
      reference: "other",
      sender: "name:Other",
    });
    expect(await originOf(store, 1)).toMatchObject({
      sender: "name:Other",
      reference: "other",
      added,
      changed,
    });
    // An element that goes has changed.
    await importFeeds(store, product(1, { CollateralDetail: 2, ProductSupply: [] }));
    expect((await originOf(store, 1))?.changed).toMatchObject({ number: 4, blocks: ["DescriptiveDetail"] });
  });

  test("has the elements of all changes of one import, and its last feed", async ({ store }) => {
    await importFeeds(store, product(1, { A: 1, B: 1, C: 1 }));
    await importFeeds(store, product(1, { A: 2, B: 1, C: 1 }), book(2), product(1, { A: 2, B: 2, C: 1 }));
    const origin = await originOf(store, 1);
    expect(origin).toMatchObject({
      added: { number: 1, feed: "1.xml" },
      changed: { number: 2, feed: "3.xml" },
    });
    expect(origin!.changed!.blocks).toEqual(["A", "B"]);
    // A book that the import has added is as it was added.
    expect(await originOf(store, 2)).toMatchObject({
      added: { number: 2, feed: "2.xml" },
      changed: undefined,
    });
    // An import that restores the old state has not changed it.
    await importFeeds(store, product(1, { A: 3, B: 2, C: 1 }), product(1, { A: 2, B: 2, C: 1 }));
    expect((await originOf(store, 1))!.changed!.number).toBe(2);
  });

  test("a book that was deleted and comes again is new", async ({ store }) => {
    await importFeeds(store, book(1), book(2));
    await importFeeds(store, isbn(1));
    expect(await originOf(store, 1)).toBeUndefined();
    await importFeeds(store, book(1));
    expect(await originOf(store, 1)).toMatchObject({ added: { number: 3 }, changed: undefined });
    // Within one import, it is changed.
    await importFeeds(store, isbn(1), book(1, { title: "x" }));
    expect(await originOf(store, 1)).toMatchObject({ added: { number: 3 }, changed: { number: 4 } });
  });

  test("a book of an import that the history no longer has is known by the time of it", async (testStore) => {
    const { store, runSql } = testStore;
    await importBooks(store, [book(1)]);
    await importFeeds(store, book(1, { title: "x" }));
    await runSql("DELETE FROM import_run WHERE number = 1");
    const { added, changed } = (await originOf(store, 1))!;
    expect(added).toEqual({ at: expect.any(String), number: undefined, feed: undefined, sender: undefined });
    expect(changed).toMatchObject({ number: 2, feed: "1.xml" });
  });

  test("keeps the whole history when a catalog is replaced by other books", async ({ store }) => {
    await importFeeds(store, book(1), book(2));
    await importFeeds(store, book(3), isbn(1), isbn(2));
    expect((await store.importHistory.list(undefined, 10)).map(({ feedCount }) => feedCount)).toEqual([3, 2]);
  });
}
