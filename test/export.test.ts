/** `colophon export --format onix` after several imports: each product is written as it was sent last. */
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { message, type ProductOptions, product } from "../src/onix/testing/message.ts";
import { colophon } from "./in-process.ts";
import { temporaryFolder } from "./process.ts";

const folder = temporaryFolder();

let databases = 0;
const newDatabase = () => join(folder, `${databases++}.db`);

async function importFeed(database: string, xml: string): Promise<void> {
  const feed = join(folder, "feed.xml");
  writeFileSync(feed, xml);
  const { code, stderr } = await colophon(["import", "--db", database, feed]);
  expect([code, code === 0 ? "" : stderr]).toEqual([0, ""]);
}

/** Returns the export without whitespace between elements. */
async function exportOnix(database: string): Promise<string> {
  const { stdout } = await colophon(["export", "--db", database, "--format", "onix"]);
  return stdout.replace(/>\s+</g, "><");
}

const withText = (text: string): ProductOptions => ({ text: `<Text textformat="05">${text}</Text>` });
const ESCAPED = "&lt;p&gt;one&lt;/p&gt;";
const ELEMENTS = "<p>one</p>";

describe("export --format onix", () => {
  test("writes a record that is sent again in the form of the last feed", async () => {
    const database = newDatabase();
    for (const text of [ESCAPED, ELEMENTS, ESCAPED]) {
      await importFeed(database, message(product(withText(text))));
      expect(await exportOnix(database)).toContain(`>${text}</Text>`);
    }
  });

  test("writes the last reference of a record that is sent again", async () => {
    const database = newDatabase();
    for (const reference of ["first", "second"]) {
      await importFeed(database, message(product({ reference })));
      expect(await exportOnix(database)).toContain(`<RecordReference>${reference}<`);
    }
  });

  const stock = "<Stock><OnHand>5</OnHand><OnOrder>6</OnOrder><Proximity>04</Proximity></Stock>";
  const supply = `<ProductSupply><SupplyDetail>${stock}</SupplyDetail></ProductSupply>`;

  test("keeps the order of a Stock when an update carries another block", async () => {
    const database = newDatabase();
    const detail = "<DescriptiveDetail><ProductForm>BC</ProductForm></DescriptiveDetail>";
    await importFeed(database, message(product({ blocks: detail + supply })));
    const update = "<CollateralDetail><TextContent><TextType>03</TextType></TextContent></CollateralDetail>";
    await importFeed(database, message(product({ notification: "04", blocks: update })));
    const xml = await exportOnix(database);
    expect(xml).toContain(stock);
    expect(xml).toContain("<TextType>03</TextType>");
  });

  test("writes the order of a Stock that an update carries", async () => {
    const database = newDatabase();
    await importFeed(database, message(product(withText(ESCAPED))));
    await importFeed(database, message(product({ notification: "04", blocks: supply })));
    const xml = await exportOnix(database);
    expect(xml).toContain(stock);
    expect(xml).toContain(`>${ESCAPED}</Text>`);
  });

  const as31 = (xml: string) => xml.replaceAll("3.0", "3.1");
  const audience = "<AudienceCode>01</AudienceCode>";
  const audience31 =
    "<Audience><AudienceCodeType>01</AudienceCodeType><AudienceCodeValue>01</AudienceCodeValue></Audience>";

  test("writes products of 3.0 alone as they were sent, and as 3.1 beside a product or an update of 3.1", async () => {
    for (const other of [
      product({ isbn: "9780199632091" }),
      product({ notification: "04", blocks: "<CollateralDetail><TextContent/></CollateralDetail>" }),
    ]) {
      const database = newDatabase();
      await importFeed(database, message(product({ detail: audience })));
      const alone = await exportOnix(database);
      expect([alone.includes('release="3.0"'), alone.includes(audience)]).toEqual([true, true]);
      await importFeed(database, as31(message(other)));
      const mixed = await exportOnix(database);
      expect([mixed.includes('release="3.1"'), mixed.includes(audience)]).toEqual([true, false]);
      expect(mixed).toContain(audience31);
    }
  });

  test("writes the header's defaults into the products, and its import changes nothing", async () => {
    const database = newDatabase();
    const price = "<Price><PriceAmount>9.90</PriceAmount></Price></SupplyDetail>";
    const feed = message(product({ languages: [] }))
      .replace("</Header>", "<DefaultCurrencyCode>EUR</DefaultCurrencyCode></Header>")
      .replace("</SupplyDetail>", price);
    await importFeed(database, feed);
    const before = await colophon(["export", "--db", database]);
    const xml = await exportOnix(database);
    expect(xml).toContain("<PriceAmount>9.90</PriceAmount><CurrencyCode>EUR</CurrencyCode>");
    await importFeed(database, xml);
    expect((await colophon(["export", "--db", database])).stdout).toBe(before.stdout);
  });
});
