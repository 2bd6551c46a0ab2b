import { expect, test } from "bun:test";
import type { PreparedProduct } from "../catalog/entry.ts";
import { bytesOf, streamOf } from "../feed/testing/streams.ts";
import { completeIsbn13 } from "../onix/isbn.ts";
import { message, product } from "../onix/testing/message.ts";
import { faultsOf, SQLITE } from "../stores/testing/engines.ts";
import { FeedDigest } from "./feed-digest.ts";
import { readFeed } from "./feed-reader.ts";
import { type ImportObserver, runImport } from "./import-run.ts";
import type { Scanners } from "./scan/scanners.ts";
import { LocalScanners } from "./testing/read-document.ts";

const RULES = { replace: false, allowRemovals: false, inOrder: false } as const;

function feed(...changed: readonly number[]) {
  const products = Array.from({ length: 80 }, (_, number) => {
    const isbn = completeIsbn13(`9788400000${String(number).padStart(2, "0")}`);
    return product({ isbn, title: changed.includes(number) ? "Changed" : "Title" });
  });
  const digest = new FeedDigest();
  const batches = (scanners: Scanners) =>
    readFeed("feed.xml", streamOf(bytesOf(message(...products))), scanners, 4096, digest);
  return { name: "feed.xml", sizeBytes: undefined, checks: false, digest, batches };
}

test("unchanged products are scanned without summaries, and the changed ones among them get theirs", async () => {
  await using testStore = await SQLITE.createStore();
  const { store } = testStore;
  const products: PreparedProduct[] = [];
  const observer: ImportObserver = {
    waiting() {},
    batchRead: (batch) => products.push(...batch.products),
    progress() {},
    async feedsRead() {},
    complaint() {},
    removed() {},
  };
  const scanners = new LocalScanners(1);
  const run = async (...changed: readonly number[]) => {
    products.length = 0;
    const { counts } = await runImport(store, [feed(...changed)], RULES, observer, scanners);
    expect(await faultsOf(testStore)).toEqual([]);
    return { ...counts, withSummary: products.filter(({ summary }) => summary !== undefined).length };
  };
  expect(await run()).toMatchObject({ added: 80, withSummary: 80 });
  const again = await run(78);
  expect(again).toMatchObject({ updated: 1, unchanged: 79 });
  expect(again.withSummary).toBeLessThan(60);
  // A feed begins with summaries, whatever the one before had.
  const all = Array.from({ length: 80 }, (_, number) => number);
  expect(await run(...all)).toMatchObject({ updated: 79, unchanged: 1, withSummary: 80 });
});
