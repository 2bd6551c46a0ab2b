/** What a product asks for, and how its record differs from it. */
import { describe, expect, test } from "bun:test";
import { indexFieldsOf } from "../record/index-fields.ts";
import { identifier } from "../testing/message.ts";
import { readOne, recordOf } from "../testing/scan-message.ts";

describe("the action of a product", () => {
  const NO_ISBN = identifier("01", "x");

  test.each([
    ["01", "record"],
    ["02", "record"],
    ["03", "record"],
    ["08", "record"],
    ["09", "record"],
    ["04", "update"],
    ["05", "deletion"],
    ["88", "test"],
    ["89", "test"],
    ["77", "record"],
    ["", "record"],
  ])("of NotificationType '%s' is %s", async (notification, action) => {
    expect((await readOne({ notification })).action).toBe(action as "record");
  });

  test.each([
    ["03", "rejection"],
    ["04", "update"],
    ["05", "deletion"],
    ["88", "test"],
  ])("of NotificationType %s without an ISBN is %s", async (notification, action) => {
    const product = await readOne({ notification, identifiers: NO_ISBN });
    expect(product.action).toBe(action as "rejection");
    expect(product.isbn).toBeUndefined();
    expect(product.rejection).toBe(action === "rejection" ? "The product has no ISBN." : "");
  });

  test.each([
    ["<DeletionText/>", "record"],
    ["<DeletionText> <!-- none --> </DeletionText>", "record"],
    ["<DeletionText>&#32;</DeletionText>", "record"],
    ["<DeletionText>out of print</DeletionText>", "deletion"],
    ["<DeletionText/><DeletionText><![CDATA[out of print]]></DeletionText>", "deletion"],
  ])("with %s is %s", async (text, action) => {
    const product = await readOne({ identifiers: text + identifier("15", "9788437604947") });
    expect(product.action).toBe(action as "record");
    expect(product.body.length > 0).toBe(action === "record");
  });

  test("is not affected by elements of the same name elsewhere", async () => {
    const detail = "<DeletionText>x</DeletionText><NotificationType>05</NotificationType>";
    expect((await readOne({ detail })).action).toBe("record");
  });

  test("with an unknown or missing NotificationType is a record with a complaint", async () => {
    const complaints = async (notification: string) => (await readOne({ notification })).complaints.at(-1);
    expect(await complaints("77")).toMatchObject({ kind: "unknown-code" });
    expect((await readOne({ notification: "77" })).complaints).toContainEqual({
      kind: "unknown-notification",
      text: "NotificationType 77 is not in list 1.",
      line: 4,
      column: 1,
    });
    expect((await readOne({ notification: "" })).complaints).toContainEqual({
      kind: "no-notification",
      text: "The product has no NotificationType.",
      line: 4,
      column: 1,
    });
  });
});

test("a product without DescriptiveDetail and with an unknown NotificationType is rejected", async () => {
  const blocks = "<ProductSupply/>";
  const { action, rejection, isbn, body } = await readOne({ notification: "12", blocks });
  expect([action, isbn as string, body.length]).toEqual(["rejection", "9788437604947", 0]);
  expect(rejection).toBe(
    "NotificationType 12 is not in list 1. Without DescriptiveDetail it is no whole record.",
  );
  expect((await readOne({ notification: "", blocks })).action).toBe("record");
  expect((await readOne({ notification: "03", blocks })).action).toBe("record");
});

describe("an update", () => {
  test("is whole with an ISBN and the blocks 1, 4 and 6", async () => {
    const blocks = (...names: string[]) => names.map((name) => `<${name}/>`).join("");
    const isWhole = async (xml: string) => (await readOne({ notification: "04", blocks: xml })).isWhole;
    expect(await isWhole(blocks("DescriptiveDetail", "PublishingDetail", "ProductSupply"))).toBe(true);
    expect(await isWhole(blocks("DescriptiveDetail", "PublishingDetail"))).toBe(false);
    expect(await isWhole(blocks("PublishingDetail", "ProductSupply", "CollateralDetail"))).toBe(false);
    expect((await readOne({ notification: "04", identifiers: identifier("01", "x") })).isWhole).toBe(false);
    expect((await readOne({ notification: "03" })).isWhole).toBe(false);
  });

  test("without an ISBN has zeros in its places", async () => {
    const product = await readOne({ notification: "04", identifiers: identifier("01", "x") });
    expect(recordOf(product)).toMatchObject({
      _id: "000000000000000000000000",
      RecordReference: "0000000000000",
      ProductIdentifier: [{ ProductIDType: "01", IDValue: "x" }],
    });
    expect(product.reference).toBe("ref-9788437604947");
  });
});

test("a product without a reference has a complaint", async () => {
  const product = await readOne({ reference: "" });
  expect(product.reference).toBe("");
  expect(product.complaints).toEqual([
    { kind: "no-reference", text: "The product has no RecordReference.", line: 4, column: 1 },
  ]);
});

describe("the origin of a record", () => {
  const originOf = async (options: Parameters<typeof readOne>[0]) =>
    JSON.parse((await readOne(options)).origin);

  test("names the flags that were added or removed, and counts the identifiers that were added", async () => {
    expect(await originOf({})).toEqual({ release: "3.0", set: ["NoCollection", "NoEdition"], completed: 2 });
    expect(await originOf({ detail: "<NoCollection/><NoEdition/><EditionNumber>2</EditionNumber>" })).toEqual(
      { release: "3.0", unset: ["NoEdition"], completed: 2 },
    );
  });

  test("has the texts whose form the record does not show, by block", async () => {
    const text =
      '<Text>plain</Text><Text textformat="05">&lt;p&gt;escaped&lt;/p&gt;</Text><Text><b>elements</b></Text>' +
      '<Text textformat="05"><p>usual</p></Text>';
    expect((await originOf({ text })).exceptions).toEqual({ CollateralDetail: [3, 4] });
    const blocks = '<Other textformat="05">&lt;p&gt;x</Other>stray';
    expect((await originOf({ blocks })).exceptions).toEqual({ Other: [0] });
    const inner =
      "<DescriptiveDetail><Product>stray</Product><EditionNumber><i>1</i></EditionNumber></DescriptiveDetail>";
    expect((await originOf({ blocks: inner })).exceptions).toEqual({ DescriptiveDetail: [0] });
  });

  test("has the order of a Stock whose children alternate", async () => {
    const supply = (stock: string) => ({
      blocks: `<ProductSupply><SupplyDetail><SupplyDate><Date>1</Date></SupplyDate><Stock>${stock}</Stock></SupplyDetail></ProductSupply>`,
    });
    const usual = "<OnHand>1</OnHand><OnOrder>2</OnOrder>";
    expect(await originOf(supply(usual))).not.toHaveProperty("interleaved");
    const alternating = "<OnHand>5</OnHand><OnOrder>6</OnOrder><Proximity>04</Proximity>";
    const { interleaved } = await originOf(supply(alternating));
    expect(interleaved).toEqual({ ProductSupply: { "1": ["OnHand", "OnOrder", "Proximity"] } });
  });
});

describe("the fields that a record is found by", () => {
  const indexOf = async (options: Parameters<typeof readOne>[0]) => {
    const scanned = await readOne(options);
    // The record alone has the same fields.
    expect(indexFieldsOf(recordOf(scanned))).toEqual(scanned.index);
    return scanned.index;
  };
  const publishing = (xml: string) => ({ blocks: `<PublishingDetail>${xml}</PublishingDetail>` });
  const date = (xml: string) =>
    `<PublishingDate><PublishingDateRole>01</PublishingDateRole>${xml}</PublishingDate>`;
  const marketDate = (role: string, day: string) =>
    `<MarketPublishingDetail><MarketDate><MarketDateRole>${role}</MarketDateRole><Date>${day}</Date></MarketDate></MarketPublishingDetail>`;

  test("are imprint, languages and day", async () => {
    expect(await indexOf({ imprint: "A &amp; B", languages: ["SPA", "cat", "spa"] })).toEqual({
      imprint: "A & B",
      languages: ["spa", "cat"],
      publishingDay: "20240115" as never,
      marketDay: undefined,
    });
  });

  test("are the first imprint with a name, the languages of the text, and the day of publication", async () => {
    const language = (role: string, code: string) =>
      `<Language><LanguageRole>${role}</LanguageRole><LanguageCode>${code}</LanguageCode></Language>`;
    const imprints =
      "<Imprint/><Imprint><ImprintName>One</ImprintName></Imprint><Imprint><ImprintName>Two</ImprintName></Imprint>";
    const announced =
      "<PublishingDate><PublishingDateRole>09</PublishingDateRole><Date>20200101</Date></PublishingDate>";
    const detail = `<DescriptiveDetail>${language("02", "eng")}${language("01", "cat")}</DescriptiveDetail>`;
    const blocks =
      detail +
      publishing(imprints + announced + date("<Date>2024</Date>") + date("<Date>2025</Date>")).blocks;
    expect(await indexOf({ blocks })).toEqual({
      imprint: "One",
      languages: ["cat"],
      publishingDay: "20240101" as never,
      marketDay: undefined,
    });
    expect(await indexOf({ ...publishing(announced) })).toMatchObject({
      publishingDay: undefined,
      imprint: undefined,
    });
  });

  test.each([
    ["the publisher of role 01", "<PublishingRole>02</PublishingRole><PublisherName>A</PublisherName>", "Q"],
    ["the first publisher", "<PublisherName>A</PublisherName>", "A"],
  ])("have %s as the imprint of a book without one", async (name, first, imprint) => {
    const other = name.includes("01") ? "01" : "02";
    const xml = `<Publisher>${first}</Publisher><Publisher><PublishingRole>${other}</PublishingRole><PublisherName>Q</PublisherName></Publisher>`;
    expect((await indexOf(publishing(`<Imprint><ImprintName> </ImprintName></Imprint>${xml}`))).imprint).toBe(
      imprint,
    );
  });

  test.each([
    ["an attribute", '<DateFormat>01</DateFormat><Date dateformat="00">20240115</Date>', "20240115"],
    ["DateFormat", "<DateFormat>02</DateFormat><Date>202410</Date>", "20240304"],
    ["quarters", '<Date dateformat="03">20242</Date>', "20240401"],
    ["nothing", "<Date>202401</Date>", "20240101"],
  ])("have a day whose format is given by %s", async (_, xml, day) => {
    expect<string | undefined>((await indexOf(publishing(date(xml)))).publishingDay).toBe(day);
  });

  test("have the earliest market date", async () => {
    const supply = ["20240301", "20240201"].map(
      (day) => `<ProductSupply>${marketDate("01", day)}</ProductSupply>`,
    );
    const other = `<ProductSupply>${marketDate("02", "20200101")}</ProductSupply>`;
    const index = await indexOf({ blocks: supply.join("") + other });
    expect<(string | undefined)[]>([index.publishingDay, index.marketDay]).toEqual([undefined, "20240201"]);
  });

  test.each([
    ["soon", "bad-date"],
    ["20240230", "bad-date"],
    ["", undefined],
  ])("have no day for the date '%s'", async (text, kind) => {
    const product = await readOne({ ...publishing(date(`<Date>${text}</Date>`)) });
    expect(product.index.publishingDay).toBeUndefined();
    expect(product.complaints[0]?.kind).toBe(kind as "bad-date");
  });

  test("have a complaint on a date in a format of another calendar, with its text", async () => {
    const { complaints } = await readOne(publishing(date("<DateFormat>21</DateFormat><Date>202410</Date>")));
    expect(complaints[0]!.text).toBe('The publication date "202410" cannot be read as a day.');
    const market = `<ProductSupply>${marketDate("01", "2024")}</ProductSupply>`;
    const other = await readOne({ blocks: publishing(date("<Date>soon</Date>")).blocks + market });
    expect(other.complaints).toEqual([]);
    expect<string | undefined>(other.index.marketDay).toBe("20240101");
  });

  test("have no complaint on a date when another one gives the day", async () => {
    const product = await readOne(publishing(date("<Date>soon</Date>") + date("<Date>2024</Date>")));
    expect(product.complaints).toEqual([]);
    expect<string | undefined>(product.index.publishingDay).toBe("20240101");
  });

  test("are also found in a repeated block and in out-of-order elements", async () => {
    const twice = `<PublishingDetail/>${publishing("<Imprint><ImprintName>Second</ImprintName></Imprint>").blocks}`;
    expect((await indexOf({ blocks: twice })).imprint).toBe("Second");
  });
});
