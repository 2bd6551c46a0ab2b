/** What check says about the quality of feeds, on the real program. */
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { completeProduct } from "../src/onix/check/testing/complete-product.ts";
import { message } from "../src/onix/testing/message.ts";
import { colophon } from "./in-process.ts";
import { temporaryFolder } from "./process.ts";

const folder = temporaryFolder();
const pathOf = (name: string) => join(folder, name);

function writeFeed(name: string, ...products: readonly string[]): string {
  writeFileSync(pathOf(name), message(...products));
  return pathOf(name);
}

const check = (...args: readonly string[]) => colophon(["check", "--db", pathOf("none.db"), ...args]);

const complete = writeFeed("complete.xml", completeProduct());
const faulty = writeFeed(
  "faulty.xml",
  completeProduct({
    collateral: "",
    price: "<PriceAmount>9,90</PriceAmount><CurrencyCode>EUR</CurrencyCode>",
  }),
);

describe("check", () => {
  test("has no findings about a complete product", async () => {
    const { code, stdout, stderr } = await check(complete);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("\nNo complaints.\n");
    expect(stdout).toContain(`\nScore: 100 of 100 for ${complete} from Test (1 product)\n`);
  });

  test("prints findings in groups, the score, and what would raise it", async () => {
    const { code, stdout } = await check(faulty);
    expect(code).toBe(0);
    expect(stdout).toContain("        1  decimal-comma: PriceAmount\n");
    expect(stdout).toContain('PriceAmount has a decimal comma: "9,90" is read as 9.90.\n');
    expect(stdout).toContain("Score: 54 of 100");
    expect(stdout).toContain(
      "    +20.0  price: wrong in 1 of 1 product; send amounts with a decimal point, such as 9.90\n",
    );
    expect(stdout).not.toContain("incomplete: price");
    expect(stdout).toContain("  Block 2: Marketing collateral    0  description 0%, cover 0%\n");
    expect(stdout).toContain("     +9.0  cover: missing in 1 of 1 product; send a SupportingResource");
  });

  test("prints findings about an update that the import would reject", async () => {
    const update = completeProduct({
      price: "<PriceAmount>9,90</PriceAmount><CurrencyCode>EUR</CurrencyCode>",
    })
      .replace("<NotificationType>03", "<NotificationType>04")
      .replace(/<DescriptiveDetail>.*<\/DescriptiveDetail>/s, "");
    const { code, stdout } = await check(writeFeed("update.xml", update));
    expect(code).toBe(3);
    expect(stdout).toContain("        1  rejected, partial-update-of-nothing\n");
    expect(stdout).toContain("        1  decimal-comma: PriceAmount\n");
    expect(stdout).toContain("           Send a decimal point.\n");
  });

  test("prints everything that is wrong with a product without an ISBN", async () => {
    const product = completeProduct({
      collateral: "",
      publishing: "<PublishingDetail><Imprint><ImprintName/></Imprint><Foo/></PublishingDetail>",
    }).replace(/<ProductIdentifier>.*?<\/ProductIdentifier>/s, "");
    const { code, stdout } = await check(writeFeed("nameless.xml", product));
    expect(code).toBe(3);
    for (const group of [
      "rejected, no-isbn",
      "unknown-element: Foo",
      "bad-value: ImprintName",
      "incomplete: cover",
    ]) {
      expect(stdout).toContain(`        1  ${group}\n`);
    }
    expect(stdout).not.toContain("stored");
  });

  test("writes the findings and the scores into the report", async () => {
    await check("--report", pathOf("report.json"), complete, faulty);
    const report = JSON.parse(readFileSync(pathOf("report.json"), "utf8"));
    expect(report.complaints).toContainEqual(
      expect.objectContaining({ kind: "decimal-comma", element: "PriceAmount", value: "9,90", file: faulty }),
    );
    expect(report.quality).toMatchObject([
      { file: complete, sender: "Test", score: 100, products: 1 },
      { file: faulty, sender: "Test", score: 54, products: 1 },
    ]);
    expect(report.quality[1].blocks[2]).toEqual({
      number: 2,
      name: "Marketing collateral",
      score: 0,
      criteria: [
        { name: "description", points: 9, assessed: 1, met: 0, wrong: 0 },
        { name: "cover", points: 9, assessed: 1, met: 0, wrong: 0 },
      ],
    });
  });

  test("an import does not run the checks", async () => {
    const empty = writeFeed("empty.xml", completeProduct({ collateral: "" }));
    const { stderr } = await colophon(["import", "--db", pathOf("catalog.db"), empty]);
    expect(stderr).toBe("");
  });

  test("an import warns of amounts once for each kind, with a count and an example", async () => {
    const prices = ["9,90", "8,5", "ten euro", "1.234,50", ""];
    const price = prices
      .map((amount) => `<PriceAmount>${amount}</PriceAmount><CurrencyCode>EUR</CurrencyCode>`)
      .join("</Price><Price><PriceType>02</PriceType>");
    const feed = writeFeed("amounts.xml", completeProduct({ price }));
    const { code, stderr } = await colophon(["import", "--db", pathOf("amounts.db"), feed]);
    expect(code).toBe(0);
    expect(stderr.replaceAll(/warning: \/.*?\] /g, "")).toBe(
      'PriceAmount has a decimal comma: "9,90" is read as 9.90. It is stored as received, and read with a decimal point everywhere else; send a decimal point.\n' +
        "warning: … and 1 more of this kind (--report lists them all)\n" +
        'PriceAmount has the value "ten euro", which is not a number. It is stored as received, and counts as no price; send a number with a decimal point, such as 9.90.\n' +
        "warning: … and 2 more of this kind (--report lists them all)\n",
    );
  });

  test("fails before it reads a feed when the page cannot be written", async () => {
    const { code, stdout, stderr } = await check("--html", pathOf("no/such/folder.html"), complete);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toStartWith(`colophon: the page ${pathOf("no/such/folder.html")} cannot be written (`);
    expect(stderr).toEndWith("): it needs a folder that this user may write\n");
  });
});
