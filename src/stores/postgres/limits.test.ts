/** Values at the edge of what a feed or a token can bring, which PostgreSQL takes otherwise than SQLite does. */
import { expect, test } from "bun:test";
import { book, collect, importBooks, isbn, selectIsbns } from "../testing/books.ts";
import { openTestStore } from "./testing/test-store.ts";

/** An entry of an index has 2.7 kB at most, and what does not repeat is not made shorter. */
function long(seed: string): string {
  let text = seed;
  while (text.length < 20_000) text += new Bun.CryptoHasher("sha256").update(text).digest("hex");
  return text;
}

test("an imprint, its slug and a reference may be as long as they like, and differ in their last letter", async () => {
  await using testStore = await openTestStore();
  const [slug, reference] = [long("slug"), long("reference")];
  await importBooks(testStore.store, [
    book(1, { imprint: `${slug}A`, slug: `${slug}a`, reference: `${reference}1` }),
    book(2, { imprint: `${slug}B`, slug: `${slug}b`, reference: `${reference}2` }),
    book(3, { imprint: `${slug}B`, slug: `${slug}b`, reference: `${reference}2` }),
  ]);
  expect(await selectIsbns(testStore.store, { kind: "imprint", slug: `${slug}a` })).toEqual([isbn(1)]);
  expect(await selectIsbns(testStore.store, { kind: "imprint", slug: `${slug}b` })).toEqual([2, 3].map(isbn));
  const snapshot = await testStore.store.snapshot();
  expect(await snapshot.hasImprint(`${slug}b`)).toBe(true);
  expect(await snapshot.hasImprint(slug)).toBe(false);
  expect((await collect(snapshot.imprints())).map((imprint) => imprint.slug)).toEqual([
    `${slug}a`,
    `${slug}b`,
  ]);
  snapshot.close();
  const transaction = await testStore.store.beginImport();
  expect(await transaction.byReference(`${reference}2`)).toEqual([2, 3].map(isbn));
  expect(await transaction.byReference(reference)).toEqual([]);
  await transaction.abort();
});

test("an id of a token that PostgreSQL cannot hold is no failure: no token was issued under it", async () => {
  await using testStore = await openTestStore();
  for (const id of ["a\0b", "\ud800", "x".repeat(100_000), "'; DROP TABLE colophon.token; --", "{a,b}", ""]) {
    expect(await testStore.store.tokens.isRevoked(id)).toBe(false);
  }
  const revoked = await Promise.all(
    ["a,b", "{", '"', "\\"].map((id) => testStore.store.tokens.isRevoked(id)),
  );
  expect(revoked).toEqual([false, false, false, false]);
});

test("many lookups at once, some of the same record, some of none: each has its own answer", async () => {
  await using testStore = await openTestStore();
  await importBooks(
    testStore.store,
    Array.from({ length: 500 }, (_, at) => book(at, { title: `Title ${at}` })),
  );
  const asked = Array.from({ length: 2000 }, (_, at) => (at * 7) % 700);
  const records = await Promise.all(asked.map((number) => testStore.store.record(isbn(number))));
  records.forEach((record, at) => {
    const number = asked[at]!;
    expect(record?.etag).toBe(number < 500 ? book(number, { title: `Title ${number}` }).etag : undefined);
  });
});

test("an import that writes more than it keeps in mind, and speaks of the same books again", async () => {
  await using testStore = await openTestStore();
  const transaction = await testStore.store.beginImport();
  const title = "t".repeat(3000);
  for (let at = 0; at < 3000; at += 100) {
    await transaction.put(
      Array.from({ length: 100 }, (_, more) => book(at + more, { title, imprint: "A" })),
      1,
    );
    await transaction.remove([isbn(at)], 1);
    await transaction.markSeen([isbn(at), isbn(at + 1)], 2);
    await transaction.put([book(at + 2, { title: "again", imprint: "B" })], 3);
  }
  const held = await transaction.statusOf([0, 1, 2, 3].map(isbn));
  expect(held.map(({ etag, lastFeed: feed }) => [etag, feed])).toEqual([
    [undefined, 2],
    [book(1, { title }).etag, 2],
    [book(2, { title: "again" }).etag, 3],
    [book(3, { title }).etag, 1],
  ]);
  await transaction.commit("1".repeat(32));
  expect(await testStore.store.stats()).toMatchObject({ records: 2970, imprints: 2 });
  expect(await selectIsbns(testStore.store, { kind: "imprint", slug: "b" })).toHaveLength(30);
});
