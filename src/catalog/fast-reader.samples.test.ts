import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { sharedFile } from "../lib/testing/shared-files.ts";
import type { OnixElement } from "../onix/element.ts";
import { elementByTag } from "../onix/element-table.ts";
import { readFeed } from "../onix/feed-reader.ts";
import { message } from "../onix/testing/message.ts";
import { serializeXhtml } from "../onix/xhtml.ts";
import { chunks, compareReaders, utf8 } from "./testing/compare-readers.ts";

/** Returns the feed with the children of all composites shuffled, in the same way at every run. */
async function shuffle(bytes: Uint8Array): Promise<Uint8Array> {
  let state = 1;
  const shuffleChildren = (element: OnixElement): OnixElement => {
    if (elementByTag(element.name)?.kind !== "composite") return element;
    const keyed = element.children.map((child) => {
      state = (state * 48_271) % 2_147_483_647;
      return { key: state, child: typeof child === "string" ? child : shuffleChildren(child) };
    });
    return { ...element, children: keyed.sort((a, b) => a.key - b.key).map(({ child }) => child) };
  };
  const products: string[] = [];
  for await (const batch of readFeed(chunks(bytes, 65_536))) {
    for (const product of batch.products) products.push(`${serializeXhtml([shuffleChildren(product)])}\n`);
  }
  return utf8(message(...products));
}

test("both readers agree on the sample catalog, in order and shuffled", async () => {
  const xml = await Bun.file(join(import.meta.dir, "../../sample/catalog.xml")).bytes();
  expect(await compareReaders(xml)).toBe(223);
  expect(await compareReaders(await shuffle(xml))).toBe(223);
});

const samples = sharedFile("onix/samples");
describe.skipIf(samples.missing)("both readers agree on every sample (skipped without ../shared)", () => {
  const files = samples.missing ? [] : readdirSync(samples.path).filter((name) => !name.endsWith(".md"));
  let scanned = 0;
  for (const name of files) {
    test(name, async () => {
      const bytes = await Bun.file(join(samples.path, name)).bytes();
      const count = await compareReaders(bytes);
      scanned += Math.max(0, count);
      if (bytes[0] === 0x3c) expect(await compareReaders(Buffer.concat([utf8("\uFEFF"), bytes]))).toBe(count);
      if (count < 0) return;
      expect(await compareReaders(await shuffle(bytes))).toBeGreaterThanOrEqual(count);
    });
  }
  test("and the fast reader scans all complete products without remarks, except one", () =>
    expect(scanned).toBe(81));
});
