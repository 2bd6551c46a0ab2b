/** Extreme values of feeds and tokens that PostgreSQL handles differently from SQLite. */

import { expect } from "bun:test";
import { anyRun } from "../../catalog/testing/import-runs.ts";
import { testsWith } from "../../lib/testing/tests-with.ts";
import { book, collect, importBooks, isbn, selectIsbns } from "../testing/books.ts";
import { openTestStore } from "./testing/test-store.ts";

const test = testsWith(openTestStore);

/** Returns text that cannot be compressed to the 2.7 kB of an index entry. */
function longText(seed: string): string {
  let text = seed;
  while (text.length < 20_000) text += new Bun.CryptoHasher("sha256").update(text).digest("hex");
  return text;
}

test("imprints, slugs and references of 20,000 characters are distinguished by their last one", async (testStore) => {
  const [slug, reference] = [longText("slug"), longText("reference")];
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
  expect(await transaction.byReferences("", [`${reference}2`, reference])).toEqual([[2, 3].map(isbn), []]);
  expect(await transaction.byReferences(longText("sender"), [`${reference}2`])).toEqual([[]]);
  await transaction.abort();
});

test("senders with keys of 20,000 characters are distinguished by their last one", async (testStore) => {
  const sender = longText("sender");
  await importBooks(testStore.store, [
    book(1, { sender: `${sender}1`, reference: "r" }),
    book(2, { sender: `${sender}2`, reference: "r" }),
  ]);
  const transaction = await testStore.store.beginImport();
  expect(await transaction.byReferences(`${sender}2`, ["r"])).toEqual([[isbn(2)]]);
  expect(await transaction.byReferences(sender, ["r"])).toEqual([[]]);
  await transaction.abort();
});

test("isRevoked returns false for a token id that PostgreSQL cannot store", async (testStore) => {
  for (const id of ["a\0b", "\ud800", "x".repeat(100_000), "'; DROP TABLE colophon.token; --", "{a,b}", ""]) {
    expect(await testStore.store.tokens.isRevoked(id)).toBe(false);
  }
  const revoked = await Promise.all(
    ["a,b", "{", '"', "\\"].map((id) => testStore.store.tokens.isRevoked(id)),
  );
  expect(revoked).toEqual([false, false, false, false]);
});

test("2,000 concurrent lookups each return the right record or none", async (testStore) => {
  await importBooks(
    testStore.store,
    Array.from({ length: 500 }, (_, index) => book(index, { title: `Title ${index}` })),
  );
  const numbers = Array.from({ length: 2000 }, (_, index) => (index * 7) % 700);
  const records = await Promise.all(numbers.map((number) => testStore.store.record(isbn(number))));
  records.forEach((record, index) => {
    const number = numbers[index]!;
    expect(record?.etag).toBe(number < 500 ? book(number, { title: `Title ${number}` }).etag : undefined);
  });
});

test("an import of several batches can change the same books again", async (testStore) => {
  const transaction = await testStore.store.beginImport();
  const title = "t".repeat(3000);
  for (let first = 0; first < 3000; first += 100) {
    await transaction.put(
      Array.from({ length: 100 }, (_, index) => book(first + index, { title, imprint: "A" })),
      1,
    );
    await transaction.remove([isbn(first)], 1);
    await transaction.markSeen([isbn(first), isbn(first + 1)], 2);
    await transaction.put([book(first + 2, { title: "again", imprint: "B" })], 3);
  }
  const statuses = await transaction.statusOf([0, 1, 2, 3].map(isbn));
  expect(statuses.map(({ etag, lastFeed }) => [etag, lastFeed])).toEqual([
    [undefined, 2],
    [book(1, { title }).etag, 2],
    [book(2, { title: "again" }).etag, 3],
    [book(3, { title }).etag, 1],
  ]);
  await transaction.commit("1".repeat(32), anyRun());
  expect(await testStore.store.stats()).toMatchObject({ records: 2970, imprints: 2 });
  expect(await selectIsbns(testStore.store, { kind: "imprint", slug: "b" })).toHaveLength(30);
});
