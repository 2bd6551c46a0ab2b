/** A product that becomes a record and is written as XML again is the same product. */
import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { FeedError } from "../feed/feed-error.ts";
import { sharedFile } from "../lib/testing/shared-files.ts";
import { trimWhitespace } from "../xml/markup.ts";
import type { OnixElement } from "./element.ts";
import { elementByTag } from "./element-table.ts";
import { readFeed } from "./feed-reader.ts";
import type { Isbn13 } from "./isbn.ts";
import { buildRecord, readProduct } from "./record.ts";
import { MESSAGE_END, messageStart, writeProduct } from "./writer.ts";
import { serializeXhtml } from "./xhtml.ts";

type Canonical = string | [name: string, attributes: string[], children: Canonical[]];

/**
 * Removes differences that have no meaning: whitespace between elements and at the ends of texts, and the order of
 * attributes. Also sorts siblings in the order of the schema.
 */
function canonical(element: OnixElement): Canonical {
  const rule = elementByTag(element.name);
  const attributes = element.attributes.map(([name, value]) => `${name}=${value}`).sort();
  const hasText = element.children.some((child) => typeof child === "string" && child.trim() !== "");
  const elements = element.children.filter((child) => typeof child !== "string");
  if (rule?.kind === "data" || rule?.kind === "markup" || (hasText && !rule)) {
    return [element.name, attributes, [trimWhitespace(serializeXhtml(element.children))]];
  }
  const order = (name: string) => rule?.children.get(name)?.order ?? Number.MAX_SAFE_INTEGER;
  const sorted =
    element.name === "AudienceRange" ? elements : elements.sort((a, b) => order(a.name) - order(b.name));
  const stray = trimWhitespace(element.children.filter((child) => typeof child === "string").join(""));
  return [element.name, attributes, [...sorted.map(canonical), ...(stray === "" ? [] : [stray])]];
}

async function productsOf(xml: Uint8Array | string) {
  const bytes = typeof xml === "string" ? new TextEncoder().encode(xml) : xml;
  const found: { element: OnixElement; release: "3.0" | "3.1" }[] = [];
  for await (const { products, header } of readFeed(one(bytes))) {
    for (const element of products) found.push({ element, release: header.release });
  }
  return found;
}

async function* one(bytes: Uint8Array) {
  yield bytes;
}

/** Turns a product into a record and back. A product without an ISBN gets zeros, which do not affect its form. */
async function roundTrip({ element, release }: { element: OnixElement; release: "3.0" | "3.1" }) {
  const product = readProduct(element, release);
  const { record, origin } = buildRecord(product, product.isbn ?? ("0000000000000" as Isbn13));
  const stored = JSON.parse(JSON.stringify({ record, origin }));
  const xml =
    messageStart(release, "test", new Date(0)) +
    writeProduct(stored.record, product.reference, stored.origin) +
    MESSAGE_END;
  const [back] = await productsOf(xml);
  return { back: back!.element };
}

const samples = sharedFile("onix/samples");
describe.skipIf(samples.missing)("round trip of every 3.x sample (skipped without ../shared)", () => {
  const files = samples.missing ? [] : readdirSync(samples.path).filter((name) => !name.endsWith(".md"));
  let products = 0;
  for (const name of files) {
    test(name, async () => {
      const bytes = await Bun.file(join(samples.path, name)).bytes();
      const found = await productsOf(bytes).catch((error) => {
        if (error instanceof FeedError) return [];
        throw error;
      });
      for (const original of found) {
        const { back } = await roundTrip(original);
        expect(canonical(back)).toEqual(canonical(original.element));
        products++;
      }
    });
  }
  test("covers more than 180 products", () => expect(products).toBeGreaterThan(180));
});
