import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { ImportError } from "../feed/feed-error.ts";
import { bytesOf, encodeAs, splitAt, streamOf } from "../feed/testing/streams.ts";
import { waitFor } from "../lib/testing/wait-for.ts";
import { completeIsbn13 } from "../onix/isbn.ts";
import { message, product } from "../onix/testing/message.ts";
import { type FeedBatch, readFeed } from "./feed-reader.ts";
import { ThreadedScanners } from "./scan/scanners.ts";
import { comparableProduct, LocalScanners } from "./testing/read-document.ts";

const read = (name: string, ...parts: readonly Uint8Array[]): Promise<FeedBatch[]> =>
  readAll(name, streamOf(...parts), new LocalScanners());

function readAll(...feed: Parameters<typeof readFeed>): Promise<FeedBatch[]> {
  return Array.fromAsync(readFeed(...feed));
}

async function errorOf(reading: Promise<unknown>): Promise<string> {
  const error = await reading.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(ImportError);
  return (error as ImportError).message;
}

const FEED = message(product({}));

describe("readFeed", () => {
  test.each([
    ["a plain file", bytesOf(FEED)],
    ["gzip", gzipSync(FEED)],
    ["UTF-16", encodeAs(`\ufeff${FEED.replace("UTF-8", "UTF-16")}`, "utf-16le")],
    ["windows-1252", encodeAs(FEED.replace("UTF-8", "windows-1252"), "windows-1252")],
  ])("returns the products of %s", async (_, bytes) => {
    expect(await read("feed", ...splitAt(bytes, [7, 300]))).toMatchObject([
      {
        file: "feed",
        document: 1,
        header: { release: "3.0", sender: { name: "Test" } },
        products: [{ action: "record", isbn: "9788437604947", line: 4, column: 1 }],
        complaints: [],
        bytesRead: bytes.length,
      },
    ]);
  });

  test("returns the documents of a zip archive, and a complaint for each file that is not a feed", async () => {
    const packed = zipSync({
      "readme.txt": bytesOf("Read me"),
      "a.xml": bytesOf(FEED),
      "cover.jpg": Uint8Array.of(0xff, 0xd8),
      "b.xml": bytesOf(message()),
      "zz.pdf": bytesOf("%PDF"),
    });
    const skipped = { kind: "skipped-file", text: "The file in the archive is not a feed: it was skipped." };
    expect(await read("z.zip", packed)).toMatchObject([
      { file: "z.zip/readme.txt", document: 0, header: undefined, products: [], complaints: [skipped] },
      { file: "z.zip/a.xml", document: 1, products: [{}], complaints: [] },
      { file: "z.zip/cover.jpg", document: 1, products: [], complaints: [skipped] },
      { file: "z.zip/b.xml", document: 2, products: [], complaints: [] },
      { file: "z.zip/zz.pdf", document: 2, products: [], complaints: [skipped] },
    ]);
  });

  test("returns complaints about the encoding", async () => {
    const text = FEED.replace("UTF-8", "ISO-8859-1").replace("A title", "Año");
    const [batch] = await read("feed", bytesOf(text));
    expect(batch!.complaints).toEqual([
      {
        kind: "encoding",
        text: 'The feed is declared as ISO-8859-1, but its bytes are valid UTF-8: "Ã±" probably means "ñ".',
        line: 7,
        column: 19,
      },
    ]);
  });

  test("throws an ImportError that names the file, the line and the column", async () => {
    expect(await errorOf(read("a.xml", bytesOf(FEED.replace("</Product>", ""))))).toBe(
      "a.xml: line 17, column 1: not well-formed: </ONIXMessage> found where </Product> is expected",
    );
    const packed = zipSync({ "a.xml": bytesOf(FEED), "b.xml": bytesOf("not XML") });
    expect(await errorOf(read("z.zip", packed))).toBe("z.zip/b.xml: line 1, column 1: text that is not XML");
    expect(await errorOf(read("a.gz", gzipSync(FEED).subarray(0, -1)))).toBe(
      "a.gz: gzip: unexpected end of file",
    );
    expect(await errorOf(read("empty.xml"))).toBe("empty.xml: line 1, column 1: the feed is empty");
  });

  test("throws an ImportError when the file cannot be read", async () => {
    async function* failing() {
      yield bytesOf(FEED.slice(0, 500));
      throw new Error("I/O error");
    }
    expect(await errorOf(readAll("a.xml", failing(), new LocalScanners()))).toBe(
      "a.xml: cannot be read: I/O error",
    );
  });

  test("throws at once when the source does not end", async () => {
    async function* blocking() {
      yield bytesOf(message(product({}).replace("</Product>", "</oops>"), product({})));
      await new Promise(() => {});
    }
    // The cutter waits for more bytes, so the error shows only with chunks that are full.
    const reading = readAll("-", blocking(), new LocalScanners(), 256);
    expect(await errorOf(reading)).toMatch(/^-: line \d+, column \d+: not well-formed: <\/oops>/);
  });
});

describe("readFeed on threads", () => {
  const isbn = (number: number) => completeIsbn13(`978${String(number).padStart(9, "0")}`);
  const products = Array.from({ length: 1000 }, (_, number) => product({ isbn: isbn(number) }));
  const large = bytesOf(message(...products));
  const parts = () => streamOf(...splitAt(large, [100_000, 1_000_000, 1_234_567]));

  test("returns the same as on this thread, with any number of threads", async () => {
    const flat = (batches: readonly FeedBatch[]) =>
      batches.flatMap((batch) => batch.products.map(comparableProduct));
    const expected = flat(await readAll("feed", parts(), new LocalScanners(), 1 << 24));
    expect(expected).toHaveLength(1000);
    for (const threads of [1, 2, 4]) {
      const scanners = new ThreadedScanners({ checks: false }, threads);
      const batches = await readAll("feed", parts(), scanners, 100_000);
      scanners.close();
      expect(batches.length).toBeGreaterThan(10);
      expect(flat(batches)).toEqual(expected);
    }
  });

  test("finds what the checks find", async () => {
    const warnings = async (checks: boolean) => {
      const scanners = new ThreadedScanners({ checks }, 2);
      const batches = await readAll("feed", parts(), scanners, 100_000);
      scanners.close();
      return batches.flatMap((batch) => batch.products).filter(({ complaints }) => complaints.length > 0)
        .length;
    };
    expect([await warnings(false), await warnings(true)]).toEqual([0, 1000]);
  });

  test("starts no thread for a feed of one chunk", async () => {
    const scanners = new ThreadedScanners({ checks: false }, 2);
    await readAll("feed", streamOf(bytesOf(FEED)), scanners);
    expect(scanners.hasStarted).toBe(false);
    await readAll("feed", parts(), scanners, 100_000);
    expect(scanners.hasStarted).toBe(true);
    // Another feed uses the same threads.
    expect(await readAll("feed", streamOf(bytesOf(FEED)), scanners)).toHaveLength(1);
    scanners.close();
  });

  test("closes the source when the consumer stops", async () => {
    let closed = false;
    async function* source() {
      try {
        yield* splitAt(large, [100_000, 1_000_000, 1_234_567]);
        await new Promise(() => {});
      } finally {
        closed = true;
      }
    }
    const scanners = new ThreadedScanners({ checks: false }, 2);
    for await (const batch of readFeed("feed", source(), scanners, 100_000)) {
      if (batch.products.length > 0) break;
    }
    scanners.close();
    await waitFor("the source is closed", () => closed);
  });
});
