/** Nothing of a feed is lost: XML to record to XML gives the same product. */
import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { FeedError } from "../feed/feed-error.ts";
import { shared } from "../lib/testing/shared-files.ts";
import type { OnixElement } from "./element.ts";
import { elementByTag } from "./element-table.ts";
import type { Isbn13 } from "./isbn.ts";
import { markupOf, trimBlanks } from "./markup.ts";
import { readFeed } from "./reader.ts";
import { readProduct, recordOf } from "./record.ts";
import { messageEnd, messageStart, writeProduct } from "./writer.ts";

type Canonical = string | [name: string, attributes: string[], children: Canonical[]];

/**
 * An element without what ONIX leaves open: white space between elements and at the ends of texts, the order of
 * attributes, and of siblings where a feed does not keep to the schema's.
 */
function canonical(element: OnixElement): Canonical {
  const rule = elementByTag(element.name);
  const attributes = element.attributes.map(([name, value]) => `${name}=${value}`).sort();
  const hasText = element.children.some((child) => typeof child === "string" && child.trim() !== "");
  const elements = element.children.filter((child) => typeof child !== "string");
  if (rule?.kind === "data" || rule?.kind === "markup" || (hasText && !rule)) {
    return [element.name, attributes, [trimBlanks(markupOf(element.children))]];
  }
  const order = (name: string) => rule?.children.get(name)?.order ?? Number.MAX_SAFE_INTEGER;
  const sorted =
    element.name === "AudienceRange" ? elements : elements.sort((a, b) => order(a.name) - order(b.name));
  const stray = trimBlanks(element.children.filter((child) => typeof child === "string").join(""));
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

/** The product after it has been a record. Its book may be none: the form of a record does not depend on it. */
async function through({ element, release }: { element: OnixElement; release: "3.0" | "3.1" }) {
  const product = readProduct(element, release);
  const { record, origin } = recordOf(product, product.isbn ?? ("0000000000000" as Isbn13));
  const stored = JSON.parse(JSON.stringify({ record, origin }));
  const xml =
    messageStart(release, "test", new Date(0)) +
    writeProduct(stored.record, product.reference, stored.origin) +
    messageEnd;
  const [back] = await productsOf(xml);
  return { back: back!.element, xml };
}

const samples = shared("onix/samples");
describe.skipIf(samples.missing)("every 3.x sample (skipped where ../shared is not there)", () => {
  const files = samples.missing ? [] : readdirSync(samples.path).filter((name) => !name.endsWith(".md"));
  let products = 0;
  for (const name of files) {
    test(name, async () => {
      const bytes = await Bun.file(join(samples.path, name)).bytes();
      const found = await productsOf(bytes).catch((error) => {
        if (error instanceof FeedError) return [];
        throw error;
      });
      for (const each of found) {
        const { back } = await through(each);
        expect(canonical(back)).toEqual(canonical(each.element));
        products++;
      }
    });
  }
  test("and they are many", () => expect(products).toBeGreaterThan(180));
});
