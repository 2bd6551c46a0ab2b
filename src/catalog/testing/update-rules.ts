/** The rules for updates (NotificationType 04) and for products that are sent again, as tests of any catalog. */
import { describe, expect, test } from "bun:test";
import { message, type ProductOptions, product } from "../../onix/testing/message.ts";
import { A, B, C, type OpenCatalog } from "./rule-catalog.ts";

const COLLATERAL =
  "<CollateralDetail><TextContent><TextType>03</TextType><ContentAudience>00</ContentAudience><Text>New</Text></TextContent></CollateralDetail>";

const update = (options: ProductOptions) => message(product({ notification: "04", ...options }));

const publishing = (date: string) =>
  `<PublishingDetail><Imprint><ImprintName>Dos</ImprintName></Imprint>${
    date && `<PublishingDate><PublishingDateRole>01</PublishingDateRole><Date>${date}</Date></PublishingDate>`
  }</PublishingDetail>`;

const supply = (date: string) =>
  `<ProductSupply>${
    date &&
    `<MarketPublishingDetail><MarketDate><MarketDateRole>01</MarketDateRole><Date>${date}</Date></MarketDate></MarketPublishingDetail>`
  }</ProductSupply>`;

export function updateRules(open: OpenCatalog): void {
  test("an update replaces the blocks that it contains, and leaves the others", async () => {
    await using catalog = await open();
    await catalog.import(message(product({ text: "<Text>Old</Text>", title: "Unchanged" })));
    const before = (await catalog.record(A))!;
    expect((await catalog.import(update({ blocks: COLLATERAL }))).counts).toEqual({ updated: 1 });
    const after = (await catalog.record(A))!;
    expect(after).toEqual({
      ...before,
      CollateralDetail: { TextContent: [{ TextType: "03", ContentAudience: "00", Text: "New" }] },
    });
    expect(Object.keys(after)).toEqual(Object.keys(before));
  });

  test("an update with the blocks 1, 4 and 6 leaves the others too", async () => {
    await using catalog = await open();
    await catalog.import(message(product({ text: "<Text>Stays</Text>", title: "Old" })));
    await catalog.import(update({ title: "New" }));
    const record = (await catalog.record(A))!;
    expect(record).toMatchObject({
      NotificationType: "03",
      DescriptiveDetail: { TitleDetail: { TitleElement: { TitleText: "New" } } },
      CollateralDetail: { TextContent: [{ Text: "Stays" }] },
    });
  });

  test("a product of an unknown type without DescriptiveDetail changes nothing", async () => {
    const unknown = product({ isbn: A, notification: "12", blocks: "<ProductSupply/>" });
    for (const replace of [false, true]) {
      await using catalog = await open();
      await catalog.import(message(product({ isbn: A }), product({ isbn: B })));
      const before = await catalog.entry(A);
      const result = await catalog.import(message(unknown, product({ isbn: B })), { replace });
      expect(result).toMatchObject({
        counts: { rejected: 1, unchanged: 1 },
        kinds: ["rejected: unknown-notification"],
      });
      expect(await catalog.entry(A)).toEqual(before!);
      // Between two others of its book, it does not make that count twice.
      const titled = (title: string) => product({ isbn: A, title });
      const feed = message(titled("x"), unknown, titled("y"), product({ isbn: B }));
      expect((await catalog.import(feed, { replace })).counts).toMatchObject({
        updated: 1,
        repeated: 1,
        rejected: 1,
      });
    }
  });

  test("an update replaces all occurrences of a repeated block", async () => {
    await using catalog = await open();
    const twice = "<CollateralDetail/><CollateralDetail><TextContent/></CollateralDetail>";
    await catalog.import(message(product({ blocks: twice })));
    expect(Object.keys((await catalog.record(A))!).slice(-1)).toEqual(["CollateralDetail#more"]);
    await catalog.import(update({ blocks: COLLATERAL }));
    expect(Object.keys((await catalog.record(A))!).slice(-1)).toEqual(["CollateralDetail"]);
    await catalog.import(update({ blocks: twice }));
    expect(Object.keys((await catalog.record(A))!).slice(-2)).toEqual([
      "CollateralDetail",
      "CollateralDetail#more",
    ]);
  });

  test("an update leaves the order of a record with attributes, so the same blocks change nothing", async () => {
    await using catalog = await open();
    const withDate = (xml: string) => xml.replace("<Product>", '<Product datestamp="20240101">');
    await catalog.import(withDate(message(product({ blocks: COLLATERAL }))));
    const before = Object.keys((await catalog.record(A))!);
    expect(await catalog.import(update({ blocks: COLLATERAL }))).toMatchObject({
      counts: { unchanged: 1 },
      changed: false,
    });
    await catalog.import(update({ blocks: supply("") }));
    expect(Object.keys((await catalog.record(A))!)).toEqual([...before, "ProductSupply"]);
  });

  test("an update of a book that is not there is rejected, unless it is a whole product", async () => {
    await using catalog = await open();
    const part = await catalog.import(update({ blocks: COLLATERAL }));
    expect(part).toMatchObject({
      counts: { rejected: 1 },
      kinds: ["rejected: partial-update-of-nothing"],
      texts: [`${A} is not in the catalog.`],
    });
    expect(await catalog.import(update({}))).toMatchObject({ counts: { added: 1 }, kinds: [] });
  });

  test("an update applies to a product earlier in the same feed", async () => {
    await using catalog = await open();
    const { counts } = await catalog.import(
      message(product({}), product({ notification: "04", blocks: COLLATERAL })),
    );
    expect(counts).toEqual({ added: 1, repeated: 1 });
    expect((await catalog.record(A))!.CollateralDetail).toBeDefined();
  });

  test("an update changes nothing when it is repeated", async () => {
    await using catalog = await open();
    await catalog.import(message(product({}), product({ isbn: B })));
    const feed = message(
      product({ notification: "04", blocks: COLLATERAL }),
      product({ isbn: B, notification: "04", title: "New" }),
    );
    await catalog.import(feed);
    const before = [await catalog.entry(A), await catalog.entry(B)];
    expect(await catalog.import(feed)).toMatchObject({ counts: { unchanged: 2 }, changed: false });
    expect([await catalog.entry(A), await catalog.entry(B)]).toEqual(before);
  });

  test("updates of prices in one feed are those of one feed each, whatever is between them", async () => {
    const price = (isbn: string, amount: string, more = "") =>
      product({
        isbn,
        notification: "04",
        blocks: `<ProductSupply><SupplyDetail><Price><PriceAmount>${amount}</PriceAmount></Price></SupplyDetail></ProductSupply>${more}`,
      });
    const products = [
      price(A, "1.00"),
      price(B, "2,00"),
      price(A, "3,00"),
      product({ notification: "04", blocks: COLLATERAL }),
      price(A, "4.00"),
      price(C, "5.00"),
      price(A, "6.00", COLLATERAL),
      price(A, "7.00"),
      price(B, "8.00"),
      price(B, "9.00"),
      product({ isbn: B, notification: "04", blocks: " " }),
      price(A, "1.00"),
    ];
    const start = message(product({}), product({ isbn: B }));
    await using together = await open();
    await using apart = await open();
    await together.import(start);
    await apart.import(start);
    const one = await together.import(message(...products));
    const each = await apart.import(products.map((xml) => message(xml)));
    expect(one.counts).toEqual(each.counts);
    expect([one.revision, one.updates, one.kinds, one.texts]).toEqual([
      each.revision,
      each.updates,
      each.kinds,
      each.texts,
    ]);
    for (const isbn of [A, B, C]) expect(await together.entry(isbn)).toEqual(await apart.entry(isbn));
  });

  describe("an update keeps or changes", () => {
    test("imprint and languages with their blocks", async () => {
      await using catalog = await open();
      await catalog.import(message(product({ imprint: "Uno", languages: ["spa"] })));
      await catalog.import(update({ blocks: COLLATERAL }));
      expect(await catalog.entry(A)).toMatchObject({ imprint: { slug: "uno" }, languages: ["spa"] });
      await catalog.import(update({ blocks: publishing("") }));
      expect(await catalog.entry(A)).toMatchObject({ imprint: { slug: "dos" }, languages: ["spa"] });
      const detail =
        "<DescriptiveDetail><Language><LanguageRole>01</LanguageRole><LanguageCode>eng</LanguageCode></Language></DescriptiveDetail>";
      await catalog.import(update({ blocks: detail }));
      expect(await catalog.entry(A)).toMatchObject({ imprint: { slug: "dos" }, languages: ["eng"] });
    });

    // The publishing date counts before the market date, whichever of the blocks is replaced.
    const dates: [record: string, update: string, published: string | undefined][] = [
      [publishing("20240101") + supply("20240202"), supply("20240303"), "20240101"],
      [publishing("20240101") + supply("20240202"), publishing(""), "20240202"],
      [publishing("20240101") + supply("20240202"), publishing("20240303"), "20240303"],
      [publishing("20240101") + supply(""), supply("20240303"), "20240101"],
      [publishing("20240101") + supply(""), publishing(""), undefined],
      [publishing("") + supply("20240202"), supply("20240303"), "20240303"],
      [publishing("") + supply("20240202"), supply(""), undefined],
      [publishing("") + supply("20240202"), publishing(""), "20240202"],
      [publishing(""), supply("20240303"), "20240303"],
      [publishing("20240101") + supply("20240202"), publishing("") + supply(""), undefined],
      [publishing("20240101") + supply("20240202"), publishing("") + supply("20240404"), "20240404"],
      [publishing("20240101"), COLLATERAL, "20240101"],
    ];
    test("the publication date with the blocks that it comes from", async () => {
      for (const [blocks, updated, published] of dates) {
        await using catalog = await open();
        await catalog.import([message(product({ blocks })), update({ blocks: updated })]);
        expect({
          blocks,
          updated,
          published: (await catalog.entry(A))!.published as string | undefined,
        }).toEqual({ blocks, updated, published });
      }
    });

    test("the sender and the reference that the whole record came with", async () => {
      await using catalog = await open();
      await catalog.import(message(product({ reference: "first" })));
      await catalog.import(update({ reference: "second", blocks: COLLATERAL }).replace(">Test<", ">Other<"));
      expect(await catalog.entry(A)).toMatchObject({ reference: "first", sender: "name:Test" });
    });
  });

  test("a product that is sent again in another form counts as unchanged, and changes its export", async () => {
    await using catalog = await open();
    const elements = '<Text textformat="05"><p>One</p></Text>';
    const escaped = '<Text textformat="05">&lt;p&gt;One&lt;/p&gt;</Text>';
    const { revision } = await catalog.import(message(product({ text: elements })));
    const before = (await catalog.entry(A))!;
    expect(await catalog.import(message(product({ text: escaped })))).toMatchObject({
      counts: { unchanged: 1 },
      changed: false,
      revision,
    });
    const after = (await catalog.entry(A))!;
    expect(after.etag).toBe(before.etag);
    expect(after.origin).not.toBe(before.origin);
    expect(JSON.parse(after.origin).exceptions).toBeDefined();
  });
}
