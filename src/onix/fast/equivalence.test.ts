/** The fast way and the long way give the same, to the byte, the line and the column. */
import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { identifier, message, product } from "../../../test/feed.ts";
import { shared } from "../../../test/shared.ts";
import { entryOf, imprintOf } from "../../catalog/entry.ts";
import { readFeed } from "../reader.ts";
import { readProduct, recordOf } from "../record.ts";
import { FeedRefused } from "../refused.ts";
import type { Release } from "../release.ts";
import { isScanned, readFast } from "./reader.ts";

type Outcome =
  | { products: unknown[]; header: unknown; remarks: unknown[]; scanned: number }
  | { refused: string };

async function* chunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** A product the long way: what the fast way must give, or leave alone. */
function longWay(element: Parameters<typeof readProduct>[0], release: Release) {
  const product = readProduct(element, release);
  const isPlain = product.remarks.length === 0 && product.isbn !== undefined;
  if (!isPlain) return undefined;
  const { record, origin } = recordOf(product, product.isbn!);
  const { body, imprint: _imprint, etag: _etag, ...entry } = entryOf(record, product.reference, origin);
  const { line, column } = element;
  return {
    ...entry,
    origin: JSON.parse(entry.origin),
    imprint: imprintOf(record),
    body: text(body),
    line,
    column,
  };
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

async function slow(bytes: Uint8Array): Promise<Outcome> {
  return refusable(async () => {
    const products: unknown[] = [];
    const remarks: unknown[] = [];
    let header: unknown;
    for await (const batch of readFeed(chunks(bytes, 65_536))) {
      for (const element of batch.products) products.push(longWay(element, batch.header.release) ?? element);
      remarks.push(...batch.remarks);
      header = batch.header;
    }
    return { products, header, remarks, scanned: 0 };
  });
}

async function fast(bytes: Uint8Array, size = 65_536): Promise<Outcome> {
  return refusable(async () => {
    const products: unknown[] = [];
    const remarks: unknown[] = [];
    let header: unknown;
    let scanned = 0;
    for await (const batch of readFast(chunks(bytes, size))) {
      for (const each of batch.products) {
        if (isScanned(each)) {
          scanned++;
          products.push({ ...each, origin: JSON.parse(each.origin), body: text(each.body) });
        } else products.push(longWay(each, batch.header.release) ?? each);
      }
      remarks.push(...batch.remarks);
      header = batch.header;
    }
    return { products, header, remarks, scanned };
  });
}

async function refusable(read: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof FeedRefused) return { refused: error.message };
    throw error;
  }
}

/** Both ways on the same bytes; gives how many products were scanned, -1 when the feed was refused. */
async function same(bytes: Uint8Array, size?: number): Promise<number> {
  const [long, short] = await Promise.all([slow(bytes), fast(bytes, size)]);
  if ("refused" in long || "refused" in short) {
    expect(short).toEqual(long);
    return -1;
  }
  const { scanned, ...rest } = short;
  const { scanned: _, ...expected } = long;
  expect(rest).toEqual(expected);
  return scanned;
}

const encode = (xml: string) => new TextEncoder().encode(xml);

describe("what is scanned, and what is left to the reader", () => {
  const uncommon: [string, Parameters<typeof product>[0] | string, number][] = [
    ["a plain product", {}, 1],
    [
      "all identifiers",
      {
        identifiers:
          identifier("01", "x") +
          identifier("15", "9788437604947") +
          identifier("03", "9788437604947") +
          identifier("02", "843760494X"),
      },
      1,
    ],
    ["a publisher and no imprint", { imprint: "", publisher: "P & Q".replace("&", "&amp;") }, 1],
    ["neither", { imprint: "" }, 1],
    ["entities", { title: "A &amp; B &lt; &gt; &quot; &apos; &eacute; &#233; &#x1F600; &nbsp;x" }, 1],
    ["quotes, backslashes, line feeds and tabs", { title: 'a "b" \\ c\n\td' }, 1],
    ["characters of all lengths", { title: "aé中😀\uFFFD\uFF21" }, 1],
    ["CDATA", { title: '  <![CDATA[ <b>x</b> & "y" ]]> z <![CDATA[]]> ' }, 1],
    [
      "comments",
      {
        detail: "<!-- one --><Extent><!-- two --><ExtentType>00</ExtentType></Extent>",
        title: "a<!-- x -->b",
      },
      1,
    ],
    [
      "XHTML",
      {
        text: '<Text textformat="05"><p class="x">a &amp; b &gt; <br/><em></em><i> </i>"q"</p>\n <ul><li>z</li></ul> </Text>',
      },
      1,
    ],
    ["XHTML without its format", { text: "<Text><p>a</p></Text><Text><b>c</b></Text>" }, 1],
    ["escaped markup", { text: '<Text textformat="02">&lt;p&gt;a&lt;/p&gt;</Text>' }, 1],
    [
      "escaped markup that says it is XHTML",
      { text: '<Text textformat="05">&lt;p&gt;a&lt;/p&gt;</Text>' },
      0,
    ],
    [
      "attributes",
      { text: '<Text language="eng">a</Text><Text>b</Text><Text textformat="06" language="fre">c</Text>' },
      1,
    ],
    ["several contributors, with several roles", { detail: "", title: "x", text: "<Text>t</Text>" }, 1],
    [
      "an age range",
      {
        detail:
          "<AudienceRange><AudienceRangeQualifier>17</AudienceRangeQualifier><AudienceRangePrecision>03</AudienceRangePrecision><AudienceRangeValue>6</AudienceRangeValue><AudienceRangePrecision>04</AudienceRangePrecision><AudienceRangeValue>9</AudienceRangeValue></AudienceRange>",
      },
      1,
    ],
    [
      "subjects",
      {
        detail:
          "<Subject><MainSubject/><SubjectSchemeIdentifier>93</SubjectSchemeIdentifier></Subject><Subject></Subject><Subject><SubjectSchemeIdentifier>20</SubjectSchemeIdentifier></Subject>",
      },
      1,
    ],
    ["two languages", { languages: ["spa", "cat", "spa"] }, 1],
    ["a month", { date: "202401" }, 1],
    ["no date", { date: "" }, 1],
    ["a bad date", { date: "soon" }, 0],
    ["a wrong order", { detail: "<ProductForm>BC</ProductForm>" }, 0],
    ["an unknown element", { detail: "<Foo/>" }, 0],
    ["an unknown code", { detail: "<Extent><ExtentType>zz</ExtentType></Extent>" }, 0],
    [
      "a repeated element",
      { detail: "<Extent><ExtentType>00</ExtentType><ExtentType>00</ExtentType></Extent>" },
      0,
    ],
    ["text between elements", { detail: "stray" }, 0],
    ["a wrong check digit", { isbn: "9788437604940" }, 0],
    ["a deletion", { notification: "05", blocks: "" }, 0],
    ["an update", { notification: "04" }, 0],
    ["a CR of its own", { title: "a\rb" }, 0],
    ["an empty flag with a blank", { detail: "<NoContributor />" }, 0],
  ];
  for (const [name, options, scanned] of uncommon) {
    test(`${name}: ${scanned ? "scanned" : "left"}`, async () => {
      const xml = message(
        product({ isbn: "9780199632091" }),
        typeof options === "string" ? options : product(options),
        product({ isbn: "9791034567898" }),
      );
      const others = 2;
      expect(await same(encode(xml))).toBe(scanned + others);
      expect(await same(encode(xml.replaceAll("\n", "\r\n")))).toBeGreaterThanOrEqual(0);
      expect(await same(encode(xml.replace(/>\s+</g, "><")))).toBeGreaterThanOrEqual(0);
    });
  }

  test("no prefix, no foreign namespace, no other encoding", async () => {
    const plain = message(product());
    expect(await same(encode(plain.replace("xmlns=", "xmlns:x=")))).toBe(1);
    expect(
      await same(encode(plain.replaceAll(/<(\/?)([A-Z])/g, "<$1o:$2").replace("xmlns=", "xmlns:o="))),
    ).toBe(0);
    expect(await same(encode(plain.replace('encoding="UTF-8"', 'encoding="ISO-8859-1"')))).toBe(0);
    expect(await same(encode(plain.replace('version="1.0"', 'version="1.1"')))).toBe(0);
    expect(await same(encode(`\uFEFF${plain}`))).toBe(0);
    expect(await same(encode(plain.replace("<Product>", '<Product xmlns="http://example.org/">')))).toBe(0);
  });

  test("an end tag that is none", async () => {
    const xml = message(
      product({ title: "<![CDATA[</Product><Product>]]>", detail: "<Foo><![CDATA[</Product>]]></Foo>" }),
      product({ isbn: "9780199632091" }),
    );
    expect(await same(encode(xml))).toBe(1);
    expect(await same(encode(xml.replace("<Header>", "<!-- <Product> --><Header>")))).toBe(1);
  });
});

test("a tag that has only begun", async () => {
  const xml = message(product(), product({ isbn: "9780199632091" }));
  for (const piece of ["<", "</", "<!", "<!-", "<a ", "&", "&amp", "<![CDATA[", "x>", ">", "<a>"]) {
    for (const at of ["<Product>", "</ONIXMessage>"]) {
      await same(encode(xml.replace(at, piece + at)));
      await same(encode(xml.replace(/(<\/Product>\s*)(<Product>)/, `$1${piece}$2`)));
    }
  }
});

test("how the feed is cut makes no difference", async () => {
  const xml = encode(
    message(
      product({ title: "é中😀 &amp; <![CDATA[x]]>" }),
      product({ isbn: "9780199632091", detail: "<Foo/>" }),
      product({ isbn: "9791034567898" }),
    ),
  );
  for (const size of [1, 2, 3, 5, 7, 64, 1000]) expect(await same(xml, size)).toBe(2);
});

test("our own sample", async () => {
  const xml = await Bun.file(join(import.meta.dir, "../../../sample/catalog.xml")).bytes();
  expect(await same(xml)).toBeGreaterThan(200);
});

/** Pieces of which broken and odd feeds are made. */
const pieces = [
  "<",
  ">",
  "/",
  "&",
  ";",
  "&amp;",
  "&#0;",
  "&#13;",
  "&#xD800;",
  "&foo;",
  '"',
  "'",
  "=",
  "<!--",
  "-->",
  "--",
  "<![CDATA[",
  "]]>",
  "<?x?>",
  "\0",
  "\x01",
  "\uFFFE",
  "\uFFFF",
  "</Product>",
  "<Product>",
  "<p>",
  "</p>",
  "<b",
  " ",
  "\n",
  "\r",
  "x",
  "xmlns=",
  "é",
  "\uD83D",
  "<TitleText>",
  "</TitleText>",
  "01",
  "<NoEdition/>",
];

test("broken feeds are refused by both, for the same reason at the same place", async () => {
  const base = message(
    product({
      text: '<Text textformat="05" language="eng"><p>One &amp; <em>two</em></p></Text>',
      detail: "<Extent><ExtentType>00</ExtentType></Extent>",
    }),
    product({ isbn: "9780199632091" }),
  );
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(base.length),
      fc.nat(12),
      fc.constantFrom(...pieces),
      async (at, removed, piece) => {
        const bytes = encode(base.slice(0, at) + piece + base.slice(at + removed));
        if ((await same(bytes)) < 0) refused++;
      },
    ),
    { numRuns: process.env.FUZZ ? 50_000 : 1_500 },
  );
  expect(refused).toBeGreaterThan(100);
});

test("bytes that are no UTF-8 are refused by both", async () => {
  const base = encode(message(product({ title: "ééé" }), product({ isbn: "9780199632091" })));
  await fc.assert(
    fc.asyncProperty(fc.nat(base.length - 1), fc.integer({ min: 0x80, max: 0xff }), async (at, byte) => {
      const bytes = base.slice();
      bytes[at] = byte;
      await same(bytes);
    }),
    { numRuns: process.env.FUZZ ? 10_000 : 400 },
  );
});

const samples = shared("onix/samples");
describe.skipIf(samples.missing)("every sample (skipped where ../shared is not there)", () => {
  const files = samples.missing ? [] : readdirSync(samples.path).filter((name) => !name.endsWith(".md"));
  let scanned = 0;
  for (const name of files) {
    test(name, async () => {
      scanned += Math.max(0, await same(await Bun.file(join(samples.path, name)).bytes()));
    });
  }
  test("and many of their products were scanned", () => expect(scanned).toBeGreaterThan(30));
});
