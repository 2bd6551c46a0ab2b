/** Feeds whose elements are out of order: their records are those of the same feeds in order. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { elementByTag } from "../element-table.ts";
import type { ScannedProduct } from "../scanned-product.ts";
import { areSamplesMissing, readSamples } from "../testing/samples.ts";
import { scanMessage } from "../testing/scan-message.ts";
import { parseXml, serializeXml, type XmlElement } from "../testing/xml-tree.ts";
import { messageEnd, messageStart } from "../writer/message.ts";

const nameOf = (child: XmlElement | string) =>
  typeof child === "string" ? "#text" : (elementByTag(child.name)?.name ?? child.name);

/**
 * Shuffles the children of all composites, in the same way at every run. Children of the same name keep their order,
 * because it is that of the values in the record.
 */
function shuffle(element: XmlElement, random: () => number): XmlElement {
  if (elementByTag(element.name)?.kind !== "composite") return element;
  const children = element.children
    .filter((child) => typeof child !== "string" || /\S/.test(child))
    .map((child) => (typeof child === "string" ? child : shuffle(child, random)));
  const byName = Map.groupBy(children, nameOf);
  const names = children.map((child) => ({ name: nameOf(child), key: random() }));
  names.sort((a, b) => a.key - b.key);
  return { ...element, children: names.map(({ name }) => byName.get(name)!.shift()!) };
}

/** Writes the products of a message, with their elements in order or shuffled. */
function productsOf(xml: string, isShuffled: boolean): string {
  let state = 1;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state;
  };
  const products = parseXml(xml)
    .children.filter((child) => typeof child !== "string")
    .filter((child) => nameOf(child) === "Product")
    .map((product) => serializeXml(isShuffled ? shuffle(product, random) : product));
  return (
    messageStart({ release: "3.0", sender: "test", sent: "19700101" }) + products.join("\n") + messageEnd()
  );
}

/** Elements that the standard does not expect are in the order of the feed, so only their values are compared. */
function contentOf({ body, complaints, index, action }: ScannedProduct) {
  const text = new TextDecoder().decode(body);
  const kinds = complaints.map(({ kind }) => kind).sort();
  const isExpected = !kinds.some((kind) => kind === "unknown-element" || kind === "misplaced-element");
  return { record: isExpected || text === "" ? text : JSON.parse(text), kinds, index, action };
}

async function expectSameRecords(xml: string): Promise<number> {
  const ordered = (await scanMessage(productsOf(xml, false))).products;
  const shuffled = (await scanMessage(productsOf(xml, true))).products;
  expect(shuffled.map(contentOf)).toEqual(ordered.map(contentOf));
  return ordered.length;
}

test("the sample catalog has the same records when it is shuffled", async () => {
  const xml = await Bun.file(join(import.meta.dir, "../../../sample/catalog.xml")).text();
  expect(await expectSameRecords(xml)).toBe(223);
});

test.skipIf(areSamplesMissing)(
  "shuffled samples have the same records (skipped without ../shared)",
  async () => {
    let products = 0;
    for await (const { xml } of readSamples()) products += await expectSameRecords(xml);
    expect(products).toBeGreaterThan(170);
  },
);
