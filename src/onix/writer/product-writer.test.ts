import { describe, expect, test } from "bun:test";
import type { Origin } from "../record/origin.ts";
import type { RecordFields } from "../record/record-fields.ts";
import { writeProduct } from "./product-writer.ts";

/** Writes a product with one block. Returns the lines inside the block, without indentation. */
function linesOf(block: string, fields: RecordFields, origin: Partial<Origin> = {}): string[] {
  const record: RecordFields = { _id: "", RecordReference: "9788437604947", [block]: fields };
  const lines = writeProduct(record, "reference", { release: "3.0", ...origin })
    .split("\n")
    .map((line) => line.trim());
  return lines.slice(lines.indexOf(`<${block}>`) + 1, lines.indexOf(`</${block}>`));
}

/** Writes a Stock as the second text of a SupplyDetail. Returns the names and values of its children. */
function stockLines(stock: RecordFields, interleaving?: readonly string[]): string[] {
  const fields = { SupplyDetail: [{ ProductAvailability: "21", Stock: [stock] }] };
  const interleaved = interleaving && { ProductSupply: { "1": interleaving } };
  return linesOf("ProductSupply", fields, interleaved && { interleaved })
    .slice(3, -2)
    .map((line) => line.replace(/^<(\w+)>(.*)<.*$/, "$1 $2"));
}

describe("writeProduct", () => {
  test("writes each Proximity after its quantity", () => {
    const stock = { OnHand: "5", Proximity: ["03", "04", "05"], OnOrder: "7", CBO: "1" };
    expect(stockLines(stock)).toEqual([
      "OnHand 5",
      "Proximity 03",
      "OnOrder 7",
      "Proximity 04",
      "CBO 1",
      "Proximity 05",
    ]);
  });

  test("writes the only Proximity after the quantity that had it in the feed", () => {
    const stock = {
      LocationName: ["Madrid"],
      OnHand: "5",
      Proximity: ["03"],
      OnOrder: "7",
      "@datestamp": "2024",
    };
    expect(stockLines(stock, ["OnHand", "OnOrder", "Proximity"])).toEqual([
      "LocationName Madrid",
      "OnHand 5",
      "OnOrder 7",
      "Proximity 03",
    ]);
  });

  test("writes repeated quantities with their Proximity", () => {
    const stock = { OnHand: "5", "OnHand#more": ["6"], Proximity: ["03", "04"] };
    expect(stockLines(stock)).toEqual(["OnHand 5", "Proximity 03", "OnHand 6", "Proximity 04"]);
  });

  test("writes CountriesExcluded before RegionsExcluded, in whichever order the record has them", () => {
    const territory = { RegionsIncluded: "WORLD", RegionsExcluded: "US-CA", CountriesExcluded: "CA" };
    const lines = linesOf("ProductSupply", { Market: [{ Territory: territory }] });
    expect(lines.slice(2, -2)).toEqual([
      "<RegionsIncluded>WORLD</RegionsIncluded>",
      "<CountriesExcluded>CA</CountriesExcluded>",
      "<RegionsExcluded>US-CA</RegionsExcluded>",
    ]);
  });

  test.each([
    ["is set", { MainSubject: ["true"] }, ["<MainSubject/>"]],
    ["is not set", { MainSubject: [] }, []],
    [
      "had the content false",
      { MainSubject: [], "MainSubject#text": "false" },
      ["<MainSubject>false</MainSubject>"],
    ],
    [
      "had the content yes",
      { MainSubject: ["true"], "MainSubject#text": "yes" },
      ["<MainSubject>yes</MainSubject>"],
    ],
    [
      "has an attribute",
      { MainSubject: ["true"], "MainSubject@datestamp": "2024" },
      ['<MainSubject datestamp="2024"/>'],
    ],
  ] as [string, RecordFields, string[]][])("writes a MainSubject that %s", (_, flag, expected) => {
    const lines = linesOf("DescriptiveDetail", { Subject: [{ ...flag, SubjectCode: "FB" }] });
    expect(lines.slice(1, -2)).toEqual(expected);
  });
});
