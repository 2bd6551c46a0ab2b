/** Whole messages: records, positions, namespaces, encodings, and what is between the products. */
import { describe, expect, test } from "bun:test";
import { bytesOf, encodeAs } from "../../feed/testing/streams.ts";
import { HTML_ENTITIES } from "../../xml/html-entities.ts";
import type { RecordFields } from "../record/record-fields.ts";
import type { ScannedProduct } from "../scanned-product.ts";
import { identifier } from "../testing/message.ts";
import { messageVariant, type NamespaceStyle, type VariantOptions } from "../testing/message-variants.ts";
import { recordOf, scanMessage } from "../testing/scan-message.ts";

const variant = (options: Partial<VariantOptions> = {}) =>
  messageVariant({ release: "3.0", tags: "reference", namespace: "none", ...options });

/** Removes positions, which differ when tags have other lengths, and what the header of another release changes. */
function contentOf({ line: _, column: __, complaints, body, origin, ...product }: ScannedProduct): unknown {
  const { release: ___, ...differences } = origin === "" ? { release: "" } : JSON.parse(origin);
  const kinds = complaints.map(({ kind, text, element, value }) => [kind, text, element, value]);
  return { ...product, body: new TextDecoder().decode(body), differences, kinds };
}

const usual = (await scanMessage(variant())).products;
const expected = usual.map(contentOf);

/** Reads a message with this content in its only product. */
async function scanProduct(
  content: string,
  attributes = "",
  root = 'release="3.0"',
): Promise<ScannedProduct> {
  const xml = `<ONIXMessage ${root}><Product${attributes}>${identifier("15", "9788437604947")}${content}</Product></ONIXMessage>`;
  return (await scanMessage(xml)).products[0]!;
}

describe("a record", () => {
  const record = recordOf(usual[0]!) as RecordFields;
  const detail = record.DescriptiveDetail as RecordFields;

  test("has its attributes and text with references resolved", () => {
    expect(record).toMatchObject({ "@datestamp": "20240228", "@sourcename": "Molino & Cía" });
    expect((detail.TitleDetail as RecordFields).TitleElement).toEqual({
      TitleElementLevel: "01",
      TitleText: "El niño él & ella",
      "TitleText@language": "spa",
      "TitleText@textcase": "01",
    });
  });

  test("has text as one string, merged over comments, processing instructions and CDATA", () => {
    expect(detail.Contributor).toMatchObject({ PersonName: "René Müller" });
    expect((record.CollateralDetail as RecordFields).TextContent).toMatchObject([
      { Text: "<p>A <i>first</i> ]] line &amp; a]]> second</p>", "Text@textformat": "02" },
      { Text: "Two\nlines, tab\tand <i>escaped</i>\u00a0markup" },
    ]);
  });

  test("contains XHTML with its own names and attributes", () => {
    expect(detail.Contributor).toMatchObject({
      BiographicalNote: ['<p>Born in <b class="a b" xml:lang="fr">Orléans</b>,<br/>lives.</p>'],
      "BiographicalNote@textformat": ["05"],
    });
  });

  test("contains unknown elements, but no whitespace between elements", () => {
    expect(record.FutureBlock).toEqual([{ "@kind": '"x"', Inner: ["future"] }]);
    expect(JSON.stringify(record)).not.toContain("#text");
  });

  test("contains stray text, also as CDATA or references, but not whitespace that is written so", async () => {
    const text = async (content: string) => recordOf(await scanProduct(content))["#text"];
    expect(await text("lost<NotificationType>03</NotificationType>")).toBe("lost");
    expect(await text(" a <NotificationType/> <![CDATA[<b>]]><RecordReference/>&amp; ")).toBe("a <b>&");
    expect(await text("&#32;<NotificationType/><![CDATA[ \n]]>&#xA;<RecordReference/>&#9;")).toBeUndefined();
  });

  test("has an object or a text for an unknown element, whatever whitespace it contains", async () => {
    const { Foo } = recordOf(
      await scanProduct(
        "<Foo> <Bar/> </Foo><Foo>&#32;<Bar/></Foo><Foo><![CDATA[ ]]><Bar/></Foo><Foo>x<Bar/></Foo><Foo> </Foo>",
      ),
    );
    expect(Foo).toEqual([{ Bar: [""] }, { Bar: [""] }, { Bar: [""] }, "x<Bar></Bar>", ""]);
  });
});

describe("the complaints about a product", () => {
  test("have the position of each element in lines and code points", async () => {
    const text = `<ONIXMessage release="3.0">\r\n  <Product\r\n a="1">${identifier("15", "9788437604947")}<RecordReference>😀é<b\r\n>x</b></RecordReference>\r<!-- c --><NoPrefix/><?pi?><Date/></Product></ONIXMessage>`;
    const [product] = (await scanMessage(text)).products;
    expect([product!.line, product!.column]).toEqual([2, 3]);
    expect(
      product!.complaints.map(({ kind, line, column, element }) => [kind, line, column, element]),
    ).toEqual([
      ["no-notification", 2, 3, undefined],
      ["misplaced-element", 5, 11, "NoPrefix"],
      ["misplaced-element", 5, 28, "Date"],
    ]);
  });

  test("have the position of an element after characters of several bytes and CR line ends", async () => {
    const { complaints } = await scanProduct(
      "<RecordReference>é中😀</RecordReference><Foo/>\r<!--\r\n--><Bar/>\n\n <Baz/>",
    );
    const start = `<ONIXMessage release="3.0"><Product>${identifier("15", "9788437604947")}`.length + 1;
    expect(complaints.slice(1).map(({ line, column, element }) => [line, column, element])).toEqual([
      [1, start + "<RecordReference>123</RecordReference>".length, "Foo"],
      [3, 4, "Bar"],
      [5, 2, "Baz"],
    ]);
  });

  test("are in the order of their positions", async () => {
    const { complaints } = await scanProduct(
      "<Zoo/>\n<ProductForm>x</ProductForm>\n<RecordReference/>\n<Foo/>",
    );
    expect(complaints.map(({ line }) => line)).toEqual(
      complaints.map(({ line }) => line).toSorted((a, b) => a - b),
    );
    expect(complaints.length).toBeGreaterThan(4);
  });
});

describe("the products are the same for", () => {
  const namespaces: NamespaceStyle[] = ["none", "default", "prefix"];
  for (const release of ["3.0", "3.1"] as const) {
    for (const tags of ["reference", "short", "mixed"] as const) {
      for (const namespace of namespaces) {
        test(`ONIX ${release}, ${tags} tags, namespace: ${namespace}, with and without DOCTYPE`, async () => {
          for (const doctype of [false, true]) {
            const { products, header } = await scanMessage(variant({ release, tags, namespace, doctype }));
            expect(products.map(contentOf)).toEqual(expected);
            expect(header.release).toBe(release);
            expect(products[0]!.origin).toStartWith(`{"release":"${release}"`);
          }
        });
      }
    }
  }

  const declared = (name: string) =>
    variant({ declaration: `<?xml version="1.0" encoding="${name}"?>\n`, tags: "short" });
  test.each([
    ["UTF-8 without a declaration", variant(), "utf-8", ""],
    ["UTF-8 with a BOM, without a declaration", variant(), "utf-8", "\ufeff"],
    ["UTF-16BE with a BOM", declared("UTF-16"), "utf-16be", "\ufeff"],
    ["UTF-16LE without a BOM", declared("UTF-16"), "utf-16le", ""],
    ["UTF-16LE without a BOM or a declaration", variant(), "utf-16le", ""],
    ["UTF-16BE without a BOM or a declaration, after whitespace", `\n${variant()}`, "utf-16be", ""],
    ["UTF-32LE with a BOM", declared("UTF-32"), "utf-32le", "\ufeff"],
    ["UTF-32BE without a BOM", declared("ISO-10646-UCS-4"), "utf-32be", ""],
    ["windows-1254", declared("Windows-1254"), "windows-1254", ""],
    ["Macintosh", declared("macintosh"), "macintosh", ""],
  ])("%s", async (_, text, encoding, bom) => {
    const { products, complaints } = await scanMessage(encodeAs(bom + text, encoding));
    expect(products.map(contentOf)).toEqual(expected);
    expect(complaints).toEqual([]);
  });

  test("a declared encoding that the bytes contradict, with a complaint", async () => {
    for (const [text, encoding, bom] of [
      [declared("ISO-8859-1"), "utf-8", "\ufeff"],
      [declared("utf-16"), "utf-8", "\ufeff"],
      [declared("utf-16"), "utf-8", ""],
      [declared("utf-8"), "utf-16le", "\ufeff"],
      [declared("utf-8"), "utf-16be", ""],
    ] as const) {
      const { products, complaints } = await scanMessage(encodeAs(bom + text, encoding));
      expect(products.map(contentOf)).toEqual(expected);
      expect(complaints.map((complaint) => complaint.kind)).toEqual(["encoding"]);
    }
  });

  test("every kind of line end, with the same positions", async () => {
    for (const end of ["\r\n", "\r"]) {
      expect((await scanMessage(variant().replaceAll("\n", end))).products).toEqual(usual);
    }
  });

  test("a namespace that is declared or removed on each product", async () => {
    const uri = "http://ns.editeur.org/onix/3.0/short";
    const on = variant({ tags: "short" }).replace(/<product\b/g, `<product xmlns="${uri}"`);
    expect((await scanMessage(on)).products.map(contentOf)).toEqual(expected);
    const off = variant({ tags: "short", namespace: "default" }).replace(/<product\b/g, '<product xmlns=""');
    expect((await scanMessage(off)).products.map(contentOf)).toEqual(expected);
  });

  test("XML 1.1", async () => {
    const { products } = await scanMessage(variant({ declaration: '<?xml version="1.1"?>\n' }));
    expect(products.map(contentOf)).toEqual(expected);
  });
});

describe("an element of a foreign namespace", () => {
  const FOREIGN = 'release="3.0" xmlns:e="urn:e" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

  test("keeps its name within a product, even when it is a short tag", async () => {
    const attributes = ' e:a="1" xsi:type="t" xml:id="i" e:datestamp="2" datestamp="3"';
    const product = await scanProduct("<e:b203>x</e:b203><b203>y</b203>", attributes, FOREIGN);
    const { _id, RecordReference, ProductIdentifier, ...rest } = recordOf(product);
    expect(JSON.stringify(rest)).toBe(
      '{"@a":"1","@xml:id":"i","@datestamp":"3","b203":["x"],"TitleText":["y"]}',
    );
    expect(product.complaints.slice(2).map(({ kind, element }) => [kind, element])).toEqual([
      ["unknown-element", "b203"],
      ["misplaced-element", "TitleText"],
    ]);
  });

  test("keeps the first of two attributes that have the same name without their prefixes", async () => {
    const both = ' e:a="1" f:a="2" xmlns:f="urn:f"';
    expect(recordOf(await scanProduct("", both, FOREIGN))["@a"]).toBe("1");
  });

  test("keeps its name within XHTML", async () => {
    const xml = `<ONIXmessage release="3.0"><product>${identifier("15", "9788437604947")}<d104><p xmlns="http://www.w3.org/1999/xhtml"><b203>x</b203></p></d104></product></ONIXmessage>`;
    const [product] = (await scanMessage(xml)).products;
    expect(recordOf(product!).Text).toEqual(["<p><b203>x</b203></p>"]);
  });

  test("is ignored between products even when it is called Product", async () => {
    const { products, complaints } = await scanMessage(
      '<ONIXMessage release="3.0" xmlns:e="urn:e">\n<e:Product/>stray\n<Product/> <![CDATA[x]]></ONIXMessage>',
    );
    expect(products).toHaveLength(1);
    expect(complaints.map(({ kind, line, column }) => [kind, line, column])).toEqual([
      ["unknown-element", 2, 1],
      ["stray-text", 2, 13],
      ["stray-text", 3, 12],
    ]);
  });

  test("is ignored between products, with a complaint and its position", async () => {
    const { products, complaints } = await scanMessage(
      '<ONIXMessage release="3.0">\n <Advert><Product/></Advert><Product/><Product/></ONIXMessage>',
    );
    expect(products).toHaveLength(2);
    expect(complaints).toEqual([
      {
        kind: "unknown-element",
        text: expect.stringMatching(/^<Advert> is not part of an ONIX message/),
        line: 2,
        column: 2,
      },
    ]);
  });
});

describe("between products", () => {
  const between = async (xml: string) =>
    (await scanMessage(`<ONIXMessage release="3.0"><Product/>${xml}<Product/></ONIXMessage>`)).complaints;

  test.each([
    "",
    " \r\n\t",
    "<!-- x -->",
    "<?pi x?>",
    "<![CDATA[]]>",
    "<![CDATA[ ]]>",
    "&#32;&#x0A;",
    "<NoProduct/>",
  ])("%j has no complaint", async (xml) => expect(await between(xml)).toEqual([]));

  test("text has a complaint at its first visible character", async () => {
    const complaints = await between("\r\n \n  é x\n<!-- c --> \r\t<![CDATA[ y ]]>z");
    expect(complaints.map(({ kind, line, column }) => [kind, line, column])).toEqual([
      ["stray-text", 3, 3],
      ["stray-text", 5, 2],
      ["stray-text", 5, 17],
    ]);
  });

  test("further complaints are dropped after 100", async () => {
    expect(await between("x<Foo/>".repeat(80))).toHaveLength(100);
  });
});

test("HTML entities are resolved in texts and attributes, even when a DTD redefines them", async () => {
  const names = [...HTML_ENTITIES.keys()].map((name) => `&${name};`).join("");
  const characters = [...HTML_ENTITIES.values()].join("");
  for (const doctype of ["", '<!DOCTYPE ONIXMessage SYSTEM "x.dtd" [<!ENTITY eacute "other">]>']) {
    const isbn = identifier("15", "9788437604947");
    const text = `${doctype}<ONIXMessage release="3.0"><Product a="${names}">${isbn}${names}</Product></ONIXMessage>`;
    const record = recordOf((await scanMessage(bytesOf(text))).products[0]!);
    expect([record["@a"], record["#text"]]).toEqual([characters, characters]);
  }
});
