import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { shared } from "../lib/testing/shared-files.ts";
import type { OnixElement } from "../onix/element.ts";
import { elementByTag } from "../onix/element-table.ts";
import { readFeed } from "../onix/feed-reader.ts";
import { message } from "../onix/testing/message.ts";
import { serializeXhtml } from "../onix/xhtml.ts";
import { chunks, compareReaders, utf8 } from "./testing/compare-readers.ts";

/** The products of a feed with all elements of composites in another order, the same at every run. */
async function shuffled(bytes: Uint8Array): Promise<Uint8Array> {
  let state = 1;
  const turn = (element: OnixElement): OnixElement => {
    if (elementByTag(element.name)?.kind !== "composite") return element;
    const keyed = element.children.map((child) => {
      state = (state * 48_271) % 2_147_483_647;
      return { key: state, child: typeof child === "string" ? child : turn(child) };
    });
    return { ...element, children: keyed.sort((a, b) => a.key - b.key).map(({ child }) => child) };
  };
  const products: string[] = [];
  for await (const batch of readFeed(chunks(bytes, 65_536))) {
    for (const product of batch.products) products.push(`${serializeXhtml([turn(product)])}\n`);
  }
  return utf8(message(...products));
}

test("our own sample, as it is and with its elements in any order", async () => {
  const xml = await Bun.file(join(import.meta.dir, "../../../sample/catalog.xml")).bytes();
  expect(await compareReaders(xml)).toBe(223);
  expect(await compareReaders(await shuffled(xml))).toBe(223);
});

const samples = shared("onix/samples");
describe.skipIf(samples.missing)("every sample (skipped where ../shared is not there)", () => {
  const files = samples.missing ? [] : readdirSync(samples.path).filter((name) => !name.endsWith(".md"));
  let scanned = 0;
  for (const name of files) {
    test(name, async () => {
      const bytes = await Bun.file(join(samples.path, name)).bytes();
      const count = await compareReaders(bytes);
      scanned += Math.max(0, count);
      if (bytes[0] === 0x3c) expect(await compareReaders(Buffer.concat([utf8("\uFEFF"), bytes]))).toBe(count);
      if (count < 0) return;
      expect(await compareReaders(await shuffled(bytes))).toBeGreaterThanOrEqual(count);
    });
  }
  test("and all of their products were scanned that are whole and without a remark, but for one", () =>
    expect(scanned).toBe(81));
});
