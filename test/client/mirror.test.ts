/** The mirror of the client against the real service: killed at random, resumed, restored, it has the same bytes. */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Colophon } from "../../src/client/index.ts";
import { message, product } from "../../src/onix/testing/message.ts";
import { numberedIsbn } from "../during-tests.ts";
import { colophon } from "../in-process.ts";
import { startColophon, temporaryFolder } from "../process.ts";

const folder = temporaryFolder();
const db = join(folder, "catalog.db");
const copy = join(folder, "copy");

/** Imports books with these numbers. `title` makes them different from before. */
async function importBooks(numbers: readonly number[], title: string, ...options: string[]): Promise<void> {
  const feed = join(folder, "feed.xml");
  const products = numbers.map((number) =>
    product({ isbn: numberedIsbn(number), reference: numberedIsbn(number), title }),
  );
  writeFileSync(feed, message(...products));
  const { code, stderr } = await colophon(["import", "--db", db, ...options, feed]);
  expect([code, stderr.includes("rejected")]).toEqual([0, false]);
}

function copiedBooks(): Map<string, unknown> {
  const books = new Map<string, unknown>();
  for (const part of readdirSync(copy).filter((name) => /^[0-9]{3}$/.test(name))) {
    for (const name of readdirSync(join(copy, part)))
      books.set(name.slice(0, 13), JSON.parse(readFileSync(join(copy, part, name), "utf8")));
  }
  return books;
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

test("a folder follows imports, removals and a restored backup, also when it is interrupted", async () => {
  await importBooks(range(0, 60), "first");
  const server = await startColophon(["--db", db]);
  const token = (await colophon(["token", "--db", db, "--name", "mirror"])).stdout.trim();
  let requests = 0;
  let failAfter = Number.POSITIVE_INFINITY;
  const catalog = new Colophon({
    url: server.url,
    token,
    retries: 0,
    fetch: (url, init) => {
      if (++requests > failAfter) throw new TypeError("interrupted");
      return fetch(url, init);
    },
  });
  const mirror = () => catalog.mirror(copy, { limit: 7 });
  const expectSame = async () => {
    const books = await catalog.books(await catalog.isbns().toArray());
    expect(copiedBooks()).toEqual(new Map(books.map((book) => [book.RecordReference, book])));
  };
  try {
    // Interrupted in the middle of the first load, it goes on there.
    failAfter = 3;
    expect(mirror()).rejects.toThrow("interrupted");
    await mirror().catch(() => {});
    const before = copiedBooks().size;
    expect(before).toBeGreaterThan(0);
    [requests, failAfter] = [0, Number.POSITIVE_INFINITY];
    expect((await mirror()).changes).toBeLessThanOrEqual(60 - before + 7);
    await expectSame();
    expect(await mirror()).toEqual({ changes: 0 });

    await importBooks(range(50, 70), "second");
    expect(await mirror()).toEqual({ changes: 20 });
    await expectSame();

    // A backup that is restored has another history after this point.
    const backup = join(folder, "backup.db");
    expect((await colophon(["backup", backup, "--db", db])).code).toBe(0);
    await importBooks(range(10, 70), "third", "--replace");
    await mirror();
    await expectSame();
    expect(copiedBooks().has(numberedIsbn(0))).toBe(false);
    const restored = readFileSync(backup);
    expect(await server.stop()).toBe(0);
    for (const suffix of ["-wal", "-shm"]) if (existsSync(db + suffix)) writeFileSync(db + suffix, "");
    writeFileSync(db, restored);
    await importBooks([69], "fourth");
  } finally {
    if (server.process.exitCode === null) await server.stop();
  }

  const again = await startColophon(["--db", db]);
  try {
    const later = new Colophon({ url: again.url, token });
    mkdirSync(join(copy, "000"), { recursive: true });
    await later.mirror(copy, { limit: 50 });
    const books = await later.books(await later.isbns().toArray());
    expect(copiedBooks()).toEqual(new Map(books.map((book) => [book.RecordReference, book])));
    expect(copiedBooks().has(numberedIsbn(0))).toBe(true);
  } finally {
    await again.stop();
  }
});
