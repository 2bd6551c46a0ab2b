/** What an update tells of the changed record is what the record tells. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { message } from "../../onix/testing/message.ts";
import { ProductGenerator } from "../../onix/testing/product-generator.ts";
import { etagOf, type PreparedProduct, searchDocumentOfBody, summaryOfEntry } from "../entry.ts";
import { changedBlocks } from "../history/changed-blocks.ts";
import { nightlyFieldsAfter } from "../search/document-builder.ts";
import { readFeed } from "../testing/import-feeds.ts";
import { mergeUpdate } from "./merge-update.ts";

const SUPPLIES = [
  "",
  "<ProductSupply><SupplyDetail><ProductAvailability>20</ProductAvailability><Price><PriceAmount>9.99</PriceAmount><CurrencyCode>EUR</CurrencyCode></Price></SupplyDetail></ProductSupply>",
  "<ProductSupply><SupplyDetail><ProductAvailability>40</ProductAvailability><UnpricedItemType>01</UnpricedItemType></SupplyDetail></ProductSupply>",
  "<ProductSupply><MarketPublishingDetail><MarketDate><MarketDateRole>01</MarketDateRole><Date>20240501</Date></MarketDate></MarketPublishingDetail></ProductSupply>",
];

/** Returns the product with its summary and search document, as a scanner thread makes them of a whole one. */
function scanned(xml: string): PreparedProduct {
  const product = readFeed(message(xml)).products[0]!;
  if (product.action !== "record" && !product.isWhole) return product;
  return { ...product, summary: summaryOfEntry(product), search: searchDocumentOfBody(product.body) };
}

const product = fc.gen().map((draw) => {
  const xml = new ProductGenerator(draw).product().replaceAll(/ datestamp="20240101"/g, (text) => {
    return draw(fc.boolean) ? text : "";
  });
  return xml.replace("</Product>", `${draw(fc.constantFrom, ...SUPPLIES)}</Product>`);
});
const supplyOnly = fc
  .constantFrom(...SUPPLIES)
  .map(
    (supply) =>
      `<Product><RecordReference>r</RecordReference><NotificationType>04</NotificationType><ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>9788437604947</IDValue></ProductIdentifier>${supply}</Product>`,
  );
const update = fc.oneof(
  product.map((xml) => xml.replace("<NotificationType>03<", "<NotificationType>04<")),
  supplyOnly,
);

test("summary, search document and changed blocks of an update are those of the changed record", () => {
  let supplies = 0;
  fc.assert(
    fc.property(product, update, (xml, updateXml) => {
      const [before, change] = [scanned(xml), scanned(updateXml)];
      fc.pre(before.action === "record" && change.action === "update");
      const { body, index, origin, reference, isbn, summary } = before;
      const stored = {
        isbn: isbn!,
        body,
        etag: etagOf(body),
        sender: "",
        reference,
        imprint: undefined,
        languages: index.languages,
        published: index.publishingDay ?? index.marketDay,
        origin,
        summary,
      };
      const merged = mergeUpdate(stored, change);
      if (merged.summary) expect(merged.summary).toEqual(summaryOfEntry({ body: merged.body }));
      const document = searchDocumentOfBody(merged.body);
      if (merged.search) expect(merged.search).toEqual(document);
      if (merged.changedBlocks !== undefined) {
        const names = (blocks: string) => new Set(blocks.split(" "));
        expect(names(merged.changedBlocks)).toEqual(names(changedBlocks(body, merged.body)!));
      }
      if (!merged.supply) return;
      supplies++;
      const old = searchDocumentOfBody(body);
      expect(old.digest).toBe(document.digest);
      expect(document).toMatchObject(nightlyFieldsAfter(merged.supply, old.lacks));
    }),
    { numRuns: 300 },
  );
  expect(supplies).toBeGreaterThan(10);
});
