import { expect } from "bun:test";
import { etagOf } from "../../catalog/entry.ts";
import { type ImportDetails, NO_DETAILS, type ReadFeed } from "../../catalog/history/import-details.ts";
import { type ImportFilter, LISTED_FEEDS, SHOWN_FEEDS } from "../../catalog/history/import-history.ts";
import type { KeptComplaints } from "../../catalog/history/kept-complaints.ts";
import type { UpdateCounts } from "../../catalog/history/update-counts.ts";
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
  return (await importAndCount(store, ...steps)).revision;
}

/** Returns the updated books by what has changed, too. */
async function importAndCount(store: Store, ...steps: readonly (Entry | Isbn13)[]) {
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
  const updates = await transaction.updateCounts();
  const isChanged = revision.toString() !== transaction.revision;
  const run = started.applied(isChanged, { ...emptyCounts(), added: 1 }, { ...updates });
  const details = detailsOf(...steps.map((_, index) => feed(index + 1)));
  await transaction.commit(revision.toString(), run, { details });
  return { revision: revision.toString(), updates: nonZero(run.updates) };
}

function nonZero(updates: UpdateCounts): Partial<UpdateCounts> {
  return Object.fromEntries(Object.entries(updates).filter(([, books]) => books !== 0));
}

const originOf = (store: Store, number: number) => store.importHistory.originOf(isbn(number));
const product = (number: number, members: object): Entry => {
  const entry = book(number);
  const body = Buffer.from(JSON.stringify({ _id: "x", ...members }));
  return { ...entry, body, etag: etagOf(body) };
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
    const numbersOf = async (filter: ImportFilter, before?: number) =>
      (await importHistory.list(before, 10, filter)).map(({ number }) => number);
    expect(await numbersOf({ outcome: "changed" })).toEqual([3, 1]);
    expect(await numbersOf({ outcome: "changed" }, 3)).toEqual([1]);
    expect(await numbersOf({ outcome: "unchanged" })).toEqual([]);
    expect(await numbersOf({ sender: "Sender 1" })).toEqual([3, 2, 1]);
    expect(await numbersOf({ sender: `Sender ${SHOWN_FEEDS + 1}` })).toEqual([2]);
    expect(await numbersOf({ sender: "Sender 1", outcome: "failed" })).toEqual([2]);
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

  test("counts the updated books by what has changed, each once for every kind", async ({ store }) => {
    const texts = { DescriptiveDetail: 1, CollateralDetail: 1 };
    const first = { ...texts, PublishingDetail: 1, ProductSupply: 1, RelatedMaterial: 1 };
    const count = async (...steps: readonly (Entry | Isbn13)[]) =>
      (await importAndCount(store, ...steps)).updates;
    // A book that the import adds is no update, whatever later feeds change.
    expect(await count(product(1, first), product(1, { ...first, ProductSupply: 2 }))).toEqual({});
    expect(await count(product(1, first), book(2), product(3, first))).toEqual({ supply: 1 });
    const changed = { ...first, DescriptiveDetail: 2, CollateralDetail: 2, PublishingDetail: 2 };
    expect(await count(product(1, changed), product(3, { ...first, RelatedMaterial: 2 }))).toEqual({
      texts: 1,
      publishing: 1,
      other: 1,
    });
    const [kept] = await store.importHistory.list(undefined, 1);
    expect(nonZero(kept!.updates)).toEqual({ texts: 1, publishing: 1, other: 1 });
    // Several feeds change the same book.
    const again = { ...changed, DescriptiveDetail: 3 };
    const twice = await count(
      product(1, again),
      product(1, { ...again, ContentDetail: 1, ProductSupply: 3 }),
    );
    expect(twice).toEqual({ texts: 1, supply: 1 });
    // Another sender, the same book again, and the old state do not count.
    const last = product(1, { ...again, ContentDetail: 1, ProductSupply: 3 });
    expect(await count({ ...last, sender: "name:Other" })).toEqual({});
    expect(await count(product(1, first), last, book(4))).toEqual({});
    expect(await count(product(1, first), last, product(1, changed), product(1, changed))).toEqual({
      texts: 1,
      supply: 1,
    });
    expect(await count(product(1, first), isbn(1))).toEqual({});
    // What a book that is deleted and comes again has changed is not known.
    expect(await count(isbn(3), product(3, changed))).toEqual({ other: 1 });
    expect(await count(isbn(3), product(3, changed))).toEqual({});
    expect(await count(isbn(3), product(3, first), product(3, changed))).toEqual({});
  });

  test("a preview counts the updates of the import", async ({ store }) => {
    const first = { DescriptiveDetail: 1, ProductSupply: 1, RelatedMaterial: 1 };
    await importFeeds(store, product(1, first), product(2, first), product(3, first), product(4, first));
    const preview = await store.beginPreview();
    await preview.put(
      [1, 2].map((number) => product(number, { ...first, ProductSupply: 2 })),
      1,
    );
    await preview.put([product(2, { ...first, RelatedMaterial: 2 }), product(5, first)], 2);
    await preview.put([product(3, { ...first, DescriptiveDetail: 2, ProductSupply: 2 })], 2);
    await preview.remove([isbn(4)], 2);
    expect(nonZero(await preview.updateCounts())).toEqual({ texts: 1, supply: 2, other: 1 });
    // A book that is deleted and comes again counts as it does in an import.
    await preview.put([product(4, { ...first, ProductSupply: 2 })], 3);
    expect(nonZero(await preview.updateCounts())).toEqual({ texts: 1, supply: 2, other: 2 });
    await preview.abort();
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
