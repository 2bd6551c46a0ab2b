import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { bytesOf, encodeAs, splitAt, streamOf } from "../feed/testing/streams.ts";
import { HTML_ENTITIES } from "../xml/html-entities.ts";
import type { OnixElement } from "./element.ts";
import { type FeedHeader, type FeedReaderBatch, readFeed } from "./feed-reader.ts";
import type { Remark } from "./remark.ts";
import { messageVariant, type NamespaceStyle, type VariantOptions } from "./testing/message-variants.ts";

interface Read {
  readonly header: FeedHeader;
  readonly products: readonly OnixElement[];
  readonly remarks: readonly Remark[];
}

async function read(bytes: AsyncIterable<Uint8Array>): Promise<Read> {
  const batches: FeedReaderBatch[] = [];
  for await (const batch of readFeed(bytes)) batches.push(batch);
  return {
    header: batches[0]!.header,
    products: batches.flatMap((batch) => batch.products),
    remarks: batches.flatMap((batch) => batch.remarks),
  };
}

const readText = (text: string) => read(streamOf(bytesOf(text)));
const variant = (options: Partial<VariantOptions> = {}) =>
  messageVariant({ release: "3.0", tags: "reference", namespace: "none", ...options });

/** Removes positions, which differ when tags have other lengths. */
function withoutPositions(element: OnixElement): unknown {
  const children = element.children.map((child) =>
    typeof child === "string" ? child : withoutPositions(child),
  );
  return [element.name, element.attributes, children];
}

const expected = (await readText(variant())).products.map(withoutPositions);

describe("a product element", () => {
  const flatten = (element: OnixElement): OnixElement[] => [
    element,
    ...element.children.flatMap((child) => (typeof child === "string" ? [] : flatten(child))),
  ];
  const find = (element: OnixElement, name: string) =>
    flatten(element).find((descendant) => descendant.name === name)!;

  test("has its attributes and text with references resolved", async () => {
    const { products } = await readText(variant());
    expect(products).toHaveLength(2);
    expect(products[0]!.attributes).toEqual([
      ["datestamp", "20240228"],
      ["sourcename", "Molino & Cía"],
    ]);
    const title = find(products[0]!, "TitleText");
    expect(title.children).toEqual(["El niño él & ella"]);
    expect(title.attributes).toEqual([
      ["language", "spa"],
      ["textcase", "01"],
    ]);
  });

  test("has text as one string, merged over comments, processing instructions and CDATA", async () => {
    const { products } = await readText(variant());
    expect(find(products[0]!, "PersonName").children).toEqual(["René Müller"]);
    const [first, second] = find(products[0]!, "CollateralDetail").children as OnixElement[];
    expect(find(first!, "Text").children).toEqual(["<p>A <i>first</i> ]] line &amp; a]]> second</p>"]);
    expect(find(second!, "Text").children).toEqual(["  Two\nlines, tab\tand <i>escaped</i>\u00a0markup "]);
  });

  test("contains XHTML with its own names and attributes", async () => {
    const { products } = await readText(variant());
    expect(withoutPositions(find(products[0]!, "BiographicalNote"))).toEqual([
      "BiographicalNote",
      [["textformat", "05"]],
      [
        [
          "p",
          [],
          [
            "Born in ",
            [
              "b",
              [
                ["class", "a b"],
                ["xml:lang", "fr"],
              ],
              ["Orléans"],
            ],
            ",",
            ["br", [], []],
            "lives.",
          ],
        ],
      ],
    ]);
  });

  test("contains unknown elements, but no whitespace between elements", async () => {
    const { products } = await readText(variant());
    expect(withoutPositions(find(products[0]!, "FutureBlock"))).toEqual([
      "FutureBlock",
      [["kind", '"x"']],
      [["Inner", [], ["future"]]],
    ]);
    expect(products[0]!.children.some((child) => typeof child === "string")).toBe(false);
  });

  test("contains stray text", async () => {
    const { products } = await readText(
      '<ONIXMessage release="3.0"><Product>lost<NotificationType>03</NotificationType></Product></ONIXMessage>',
    );
    expect(products[0]!.children[0]).toBe("lost");
  });

  test("has the position of each element in lines and code points", async () => {
    const text = `<ONIXMessage release="3.0">\r\n  <Product\r\n a="1"><Text>😀é<b\r\n>x</b></Text>\r<!-- c --><NoPrefix/><?pi?><Date/></Product></ONIXMessage>`;
    const [product] = (await readText(text)).products;
    expect(flatten(product!).map(({ name, line, column }) => [name, line, column])).toEqual([
      ["Product", 2, 3],
      ["Text", 3, 8],
      ["b", 3, 16],
      ["NoPrefix", 5, 11],
      ["Date", 5, 28],
    ]);
  });
});

describe("the feed header", () => {
  test("has release, tags, sender and time", async () => {
    const { header } = await readText(variant({ release: "3.1", tags: "short" }));
    expect(header).toMatchObject({
      release: "3.1",
      tags: "short",
      sender: "Ediciones del Molino",
      sent: "20240229T1200Z",
    });
    expect(header.element?.children).toHaveLength(3);
  });

  test("has the identifier of a sender without a name", async () => {
    const { header } = await readText(variant().replace(/<SenderName>.*<\/SenderName>/, ""));
    expect(header.sender).toBe("8400000000006");
  });

  test("is returned for a message without products and without a Header", async () => {
    const none = await readText('<ONIXMessage release="3.1"><NoProduct/></ONIXMessage>');
    expect(none.products).toEqual([]);
    expect(none.header).toEqual({
      release: "3.1",
      tags: "reference",
      sender: undefined,
      sent: undefined,
      element: undefined,
    });
    expect(none.remarks).toEqual([]);
  });
});

describe("the release of the header", () => {
  const releaseOf = async (attributes: string, name = "ONIXMessage") =>
    (await readText(`<${name}${attributes}/>`)).header.release;
  test.each([
    [' release="3.0"', "3.0"],
    [' release="3.1"', "3.1"],
    [' release=" 3.0 "', "3.0"],
    [' release="3.0.08"', "3.0"],
    [' release="3.1.2"', "3.1"],
    [' xmlns="http://ns.editeur.org/onix/3.0/reference"', "3.0"],
    [' xmlns="http://ns.editeur.org/onix/3.1/short"', "3.1"],
    [' xmlns="http://www.editeur.org/onix/3.1/reference"', "3.1"],
    [' release="3.1" xmlns="http://ns.editeur.org/onix/3.0/reference"', "3.1"],
    [' release="" xmlns="http://ns.editeur.org/onix/3.0/reference"', "3.0"],
    [' release="3.0" xmlns="urn:of-the-sender"', "3.0"],
  ])("of <ONIXMessage%s> is %s", async (attributes, release) => {
    expect(await releaseOf(attributes)).toBe(release as "3.0");
    expect(await releaseOf(attributes, "ONIXmessage")).toBe(release as "3.0");
  });
});

describe("readFeed returns the same products for", () => {
  const namespaces: NamespaceStyle[] = ["none", "default", "prefix"];
  for (const release of ["3.0", "3.1"] as const) {
    for (const tags of ["reference", "short", "mixed"] as const) {
      for (const namespace of namespaces) {
        test(`ONIX ${release}, ${tags} tags, namespace: ${namespace}, with and without DOCTYPE`, async () => {
          for (const doctype of [false, true]) {
            const { products, header } = await readText(variant({ release, tags, namespace, doctype }));
            expect(products.map(withoutPositions)).toEqual(expected);
            expect(header.release).toBe(release);
          }
        });
      }
    }
  }

  const declared = (name: string) =>
    variant({ declaration: `<?xml version="1.0" encoding="${name}"?>\n`, tags: "short" });
  test.each([
    ["UTF-8", declared("utf-8"), "utf-8", ""],
    ["UTF-8 without a declaration", variant(), "utf-8", ""],
    ["UTF-8 with a BOM", declared("UTF-8"), "utf-8", "\ufeff"],
    ["UTF-8 with a BOM, without a declaration", variant(), "utf-8", "\ufeff"],
    ["UTF-16LE with a BOM", declared("UTF-16"), "utf-16le", "\ufeff"],
    ["UTF-16BE with a BOM", declared("UTF-16"), "utf-16be", "\ufeff"],
    ["UTF-16LE without a BOM", declared("UTF-16"), "utf-16le", ""],
    ["UTF-16BE without a BOM", declared("utf-16be"), "utf-16be", ""],
    ["UTF-16LE without a BOM or a declaration", variant(), "utf-16le", ""],
    ["UTF-16BE without a BOM or a declaration, after whitespace", `\n${variant()}`, "utf-16be", ""],
    ["UTF-32LE with a BOM", declared("UTF-32"), "utf-32le", "\ufeff"],
    ["UTF-32BE with a BOM", declared("UTF-32"), "utf-32be", "\ufeff"],
    ["UTF-32LE without a BOM", declared("utf-32le"), "utf-32le", ""],
    ["UTF-32BE without a BOM", declared("ISO-10646-UCS-4"), "utf-32be", ""],
    ["ISO-8859-1", declared("ISO-8859-1"), "windows-1252", ""],
    ["windows-1252", declared("windows-1252"), "windows-1252", ""],
    ["ISO-8859-15", declared("iso-8859-15"), "iso-8859-15", ""],
    ["windows-1254", declared("Windows-1254"), "windows-1254", ""],
    ["Macintosh", declared("macintosh"), "macintosh", ""],
  ])("%s", async (_, text, encoding, bom) => {
    const { products, remarks } = await read(streamOf(encodeAs(bom + text, encoding)));
    expect(products.map(withoutPositions)).toEqual(expected);
    expect(remarks).toEqual([]);
  });

  const line = "El ñandú y la niña: ".replace(/[^ -~]/g, "").concat("日本語の本");
  test.each(["shift_jis", "euc-jp", "gb18030", "big5", "euc-kr", "iso-2022-jp"])(
    "%s, a multi-byte encoding, split at any byte",
    async (encoding) => {
      const text = `<?xml version="1.0" encoding="${encoding}"?><ONIXMessage release="3.0"><Product><TitleText>${line}</TitleText></Product></ONIXMessage>`;
      // big5 and euc-kr do not have every character of the line.
      const available = encoding === "big5" || encoding === "euc-kr" ? text.replace("の", "本") : text;
      const bytes = encodeAs(available, encoding);
      const whole = await read(streamOf(bytes));
      expect((whole.products[0]!.children[0] as OnixElement).children).toEqual([
        available.match(/El[^<]*/)![0],
      ]);
      for (let at = 1; at < bytes.length; at++) {
        expect((await read(streamOf(...splitAt(bytes, [at])))).products).toEqual(whole.products);
      }
    },
  );

  test("a declared encoding that the bytes contradict, with a remark", async () => {
    for (const [text, encoding, bom] of [
      [declared("ISO-8859-1"), "utf-8", "\ufeff"],
      [declared("utf-16"), "utf-8", "\ufeff"],
      [declared("utf-16"), "utf-8", ""],
      [declared("utf-8"), "utf-16le", "\ufeff"],
      [declared("utf-8"), "utf-16be", ""],
    ] as const) {
      const { products, remarks } = await read(streamOf(encodeAs(bom + text, encoding)));
      expect(products.map(withoutPositions)).toEqual(expected);
      expect(remarks.map((remark) => remark.kind)).toEqual(["contradiction"]);
    }
  });

  test("every kind of line end", async () => {
    for (const end of ["\r\n", "\r"]) {
      const { products } = await readText(variant().replaceAll("\n", end));
      expect(products).toEqual((await readText(variant())).products);
    }
  });

  test("a namespace that is declared or removed on each product", async () => {
    const uri = "http://ns.editeur.org/onix/3.0/short";
    const on = variant({ tags: "short" }).replace(/<product\b/g, `<product xmlns="${uri}"`);
    expect((await readText(on)).products.map(withoutPositions)).toEqual(expected);
    const off = variant({ tags: "short", namespace: "default" }).replace(/<product\b/g, '<product xmlns=""');
    expect((await readText(off)).products.map(withoutPositions)).toEqual(expected);
  });
});

describe("readFeed does not depend on how the bytes are split:", () => {
  const encodings = ["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"];
  const text = variant({
    tags: "short",
    namespace: "prefix",
    doctype: true,
    declaration: '<?xml version="1.0"?>\r\n',
  })
    .replaceAll("\n", "\r\n")
    .replace("gone", "gone 😀 𝒜&#x1F600;&eacute;");

  test.each(encodings)("one byte at a time, in %s", async (encoding) => {
    const bytes = encodeAs(`\ufeff${text}`, encoding);
    const whole = await read(streamOf(bytes));
    expect(whole.products).toHaveLength(2);
    expect(await read(streamOf(...Array.from(bytes, (byte) => Uint8Array.of(byte))))).toEqual(whole);
  });

  test("at random offsets", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...encodings),
        fc.array(fc.nat({ max: 20_000 }), { maxLength: 40 }),
        async (encoding, offsets) => {
          const bytes = encodeAs(`\ufeff${text}`, encoding);
          expect(await read(streamOf(...splitAt(bytes, offsets)))).toEqual(await read(streamOf(bytes)));
        },
      ),
      { numRuns: 60 },
    );
  });

  test("same error and position for a broken feed", async () => {
    const broken = [
      "AT&T",
      "&foo;",
      "<b>x</i>",
      "a]]>b",
      "\u0001",
      "<b a=1>",
      '<b a="1" a="2"/>',
      "<b",
      "&#0;",
      "<!-- -- -->",
    ];
    const errorOf = async (parts: AsyncIterable<Uint8Array>) => {
      try {
        await read(parts);
      } catch (error) {
        return (error as Error).message;
      }
      return "no error";
    };
    for (const wrong of broken) {
      const bytes = bytesOf(variant().replace("gone", `é\n${wrong}\n`));
      const whole = await errorOf(streamOf(bytes));
      expect(whole).toMatch(/^line 4[78], column /);
      const near = bytes.length - 90;
      for (let at = near; at < bytes.length; at++)
        expect(await errorOf(streamOf(...splitAt(bytes, [at])))).toBe(whole);
    }
  });
});

describe("an element of a foreign namespace", () => {
  test("keeps its name within a product, even when it is a short tag", async () => {
    const { products } = await readText(
      `<ONIXmessage release="3.0" xmlns:e="urn:e" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
       <product e:a="1" xsi:type="t" xml:id="i" e:datestamp="2" datestamp="3"><e:b203>x</e:b203><b203>y</b203></product></ONIXmessage>`,
    );
    expect(withoutPositions(products[0]!)).toEqual([
      "Product",
      [
        ["a", "1"],
        ["xml:id", "i"],
        ["datestamp", "3"],
      ],
      [
        ["b203", [], ["x"]],
        ["TitleText", [], ["y"]],
      ],
    ]);
  });

  test("keeps its name within XHTML", async () => {
    const { products } = await readText(
      '<ONIXmessage release="3.0"><product><d104><p xmlns="http://www.w3.org/1999/xhtml"><b203>x</b203></p></d104></product></ONIXmessage>',
    );
    expect(withoutPositions(products[0]!)).toEqual([
      "Product",
      [],
      [["Text", [], [["p", [], [["b203", [], ["x"]]]]]]],
    ]);
  });

  test("is ignored between products even when it is called Product", async () => {
    const { products, remarks } = await readText(
      '<ONIXMessage release="3.0" xmlns:e="urn:e">\n<e:Product/>stray\n<Product/> <![CDATA[x]]></ONIXMessage>',
    );
    expect(products).toHaveLength(1);
    expect(remarks.map(({ kind, line, column }) => [kind, line, column])).toEqual([
      ["unknown-element", 2, 1],
      ["stray-text", 2, 13],
      ["stray-text", 3, 24],
    ]);
  });

  test("is ignored between products, with a remark and its position", async () => {
    const { products, remarks } = await readText(
      '<ONIXMessage release="3.0">\n <Advert><Product/></Advert><Product/><Product/></ONIXMessage>',
    );
    expect(products).toHaveLength(2);
    expect(remarks).toEqual([
      {
        kind: "unknown-element",
        text: "<Advert> is not part of an ONIX message and is ignored",
        line: 2,
        column: 2,
      },
    ]);
  });
});

describe("the batches of readFeed", () => {
  const repeated = (count: number) =>
    variant().replace(/<Product [\s\S]*<\/Product>/, (products) => products.repeat(count));

  test("are yielded while the feed is read, in order", async () => {
    const bytes = bytesOf(repeated(300));
    const chunks = splitAt(
      bytes,
      [...Array(100).keys()].map((index) => Math.floor((bytes.length * index) / 100)),
    );
    let bytesRead = 0;
    async function* source() {
      for (const chunk of chunks) {
        bytesRead += chunk.length;
        yield chunk;
      }
    }
    const counts: number[] = [];
    let products = 0;
    for await (const batch of readFeed(source())) {
      counts.push(bytesRead);
      products += batch.products.length;
      expect(batch.header.sender).toBe("Ediciones del Molino");
    }
    expect(products).toBe(600);
    expect(counts.length).toBeGreaterThan(2);
    expect(counts).toEqual([...new Set(counts)].toSorted((a, b) => a - b));
    expect(counts.at(-1)).toBe(bytes.length);
  });

  test("are not read ahead of the consumer, and the source is closed when the consumer stops", async () => {
    const chunk = bytesOf("<Product><RecordReference>1</RecordReference></Product>".repeat(1000));
    let given = 0;
    let closed = false;
    async function* source() {
      try {
        yield bytesOf('<ONIXMessage release="3.0">');
        for (;;) {
          given++;
          yield chunk;
        }
      } finally {
        closed = true;
      }
    }
    for await (const batch of readFeed(source())) {
      expect(batch.products.length).toBeGreaterThan(1000);
      break;
    }
    expect(given).toBeLessThan(20);
    expect(closed).toBe(true);
  });
});

test("readFeed resolves HTML entities in texts and attributes, even when a DTD redefines them", async () => {
  const names = [...HTML_ENTITIES.keys()].map((name) => `&${name};`).join("");
  const characters = [...HTML_ENTITIES.values()].join("");
  for (const doctype of ["", '<!DOCTYPE ONIXMessage SYSTEM "x.dtd" [<!ENTITY eacute "other">]>']) {
    const text = `${doctype}<ONIXMessage release="3.0"><Product a="${names}">${names}</Product></ONIXMessage>`;
    for await (const { products } of readFeed(streamOf(bytesOf(text)))) {
      expect(products[0]!.attributes).toEqual([["a", characters]]);
      expect(products[0]!.children).toEqual([characters]);
    }
  }
});
