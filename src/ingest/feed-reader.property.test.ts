/** Feeds that are damaged anywhere: read in chunks of any size, they give the same products or the same error. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { bytesOf, encodeAs, splitAt, streamOf } from "../feed/testing/streams.ts";
import { message, product } from "../onix/testing/message.ts";
import { PRODUCT_CASES } from "../onix/testing/product-cases.ts";
import { scanMessage, storedProducts, writeMessage } from "../onix/testing/scan-message.ts";
import { outcome, readWholeDocument } from "./testing/read-document.ts";

/** Fragments that are inserted to break a feed. */
const FRAGMENTS = [
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

const BASE = message(
  product({
    text: '<Text textformat="05" language="eng"><p>One &amp; <em>two</em></p></Text><Text><![CDATA[<b>]]></Text>',
    detail: '<Extent sourcename="x"><ExtentType>00</ExtentType></Extent><!-- y -->',
  }),
  product({ isbn: "9780199632091", detail: "<NoEdition/><Extent><ExtentType>00</ExtentType></Extent>" }),
  product({ isbn: "9791034567898" }),
);

/** The refusal of a version names the sender when it is in the same chunk as the root. Real chunks have 1 MB. */
function withoutSender(text: string): string {
  return text
    .replace(/ from Test(?=: (?:only ONIX|the root element))/, "")
    .replace("ask Test ", "ask the sender ");
}

const chunking = () => [fc.array(fc.nat(), { maxLength: 3 }), fc.integer({ min: 16, max: 4000 })] as const;

test("a damaged feed gives the same products or the same error in chunks, and the same records after a round trip", async () => {
  let rejected = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(BASE.length),
      fc.nat(12),
      fc.constantFrom(...FRAGMENTS),
      ...chunking(),
      async (offset, removed, fragment, offsets, chunkBytes) => {
        const bytes = bytesOf(BASE.slice(0, offset) + fragment + BASE.slice(offset + removed));
        const whole = await outcome([bytes]);
        expect(withoutSender(await outcome(splitAt(bytes, offsets), chunkBytes))).toBe(withoutSender(whole));
        if (whole.startsWith("error: ")) {
          rejected++;
          return;
        }
        const first = storedProducts(await scanMessage(bytes));
        const xml = writeMessage("3.0", first);
        const records = storedProducts(await scanMessage(xml)).map(({ record }) => record);
        expect(records).toEqual(first.map(({ record }) => record));
      },
    ),
    // The release "3\n.0" is refused, or there is none, and the header is in another chunk.
    {
      numRuns: process.env.FUZZ ? 50_000 : 500,
      examples: [
        [62, 0, "\n", [], 16],
        [58, 8, "é", [], 16],
      ],
    },
  );
  expect(rejected).toBeGreaterThan(100);
});

test("bytes that are not UTF-8 give the same error in chunks", async () => {
  const base = bytesOf(message(product({ title: "ééé" }), product({ isbn: "9780199632091" })));
  await fc.assert(
    fc.asyncProperty(
      fc.nat(base.length - 1),
      fc.integer({ min: 0x80, max: 0xff }),
      ...chunking(),
      async (offset, byte, offsets, chunkBytes) => {
        const bytes = base.slice();
        bytes[offset] = byte;
        expect(await outcome(splitAt(bytes, offsets), chunkBytes)).toBe(await outcome([bytes]));
      },
    ),
    { numRuns: process.env.FUZZ ? 10_000 : 150 },
  );
});

describe("a feed in chunks has the same products with", () => {
  test.each(PRODUCT_CASES)("%s", async (_, options) => {
    const xml = message(
      product({ isbn: "9780199632091" }),
      product(options),
      product({ isbn: "9791034567898" }),
    );
    const bytes = bytesOf(xml);
    const whole = await outcome([bytes]);
    for (const chunkBytes of [16, 17, 64, 333, 1500]) expect(await outcome([bytes], chunkBytes)).toBe(whole);
  });

  test("an incomplete tag between products", async () => {
    const xml = message(product(), product({ isbn: "9780199632091" }));
    for (const piece of ["<", "</", "<!", "<!-", "<a ", "&", "&amp", "<![CDATA[", "x>", ">", "<a>"]) {
      for (const text of [
        xml.replace("<Product>", `${piece}<Product>`),
        xml.replace("</ONIXMessage>", `${piece}</ONIXMessage>`),
        xml.replace(/(<\/Product>\s*)(<Product>)/, `$1${piece}$2`),
      ]) {
        const whole = await outcome([bytesOf(text)]);
        for (const chunkBytes of [32, 500, 900])
          expect(await outcome([bytesOf(text)], chunkBytes)).toBe(whole);
      }
    }
  });

  test("complaints on parts that the chunks divide", async () => {
    const foo = `<Foo>${"<Bar>x</Bar>".repeat(20)}</Foo>`;
    const late = `<Header><Sender><SenderName>${"Late".repeat(50)}</SenderName></Sender></Header>`;
    const text = ` \r\n \n ${"stray é\n".repeat(30)} &amp; <![CDATA[ x ]]>`;
    const bytes = bytesOf(message(foo, text, product(), late, text, foo));
    const whole = await outcome([bytes]);
    expect(JSON.parse(whole).complaints).toHaveLength(7);
    for (let chunkBytes = 16; chunkBytes < 2500; chunkBytes += 23) {
      expect(await outcome([bytes], chunkBytes)).toBe(whole);
    }
  });

  test("more complaints about the message than are kept", async () => {
    const bytes = bytesOf(message("x<Foo/>".repeat(80), product(), "y<Bar/>".repeat(80)));
    const whole = await outcome([bytes]);
    expect(JSON.parse(whole).complaints).toHaveLength(100);
    for (const chunkBytes of [64, 200, 700]) expect(await outcome([bytes], chunkBytes)).toBe(whole);
  });

  test("very many product tags inside CDATA and comments, in linear time", async () => {
    const many = "<Product></Product>".repeat(60_000);
    const rest = Array.from({ length: 20 }, () => product({ text: `<Text>${"x".repeat(50_000)}</Text>` }));
    for (const part of [`<!--${many}-->`, `<Foo><![CDATA[${many}]]></Foo>`]) {
      const { products } = await readWholeDocument(
        streamOf(bytesOf(message(product(), part, ...rest))),
        64 << 10,
      );
      expect(products.filter(({ action }) => action === "record")).toHaveLength(21);
    }
  });

  const declared = (name: string) =>
    message(product({ title: "Año «à»" })).replace('encoding="UTF-8"', `encoding="${name}"`);
  test.each([
    ["an unknown encoding", bytesOf(declared("no-such"))],
    ["a zero byte before the encoding", bytesOf(declared("\0UTF-8"))],
    ["a zero byte after the encoding", bytesOf(declared("UTF-8\0"))],
    ["half a code unit at the end", encodeAs(declared("UTF-16"), "utf-16le").slice(0, -1)],
    ["a declared encoding that the bytes do not have", bytesOf(declared("shift_jis"))],
  ])("an error for %s", async (_, bytes) => {
    const error = await outcome([bytes]);
    expect(error).toStartWith("error: line ");
    for (const chunkBytes of [64, 700])
      expect(await outcome(splitAt(bytes, [7, 100, 1000]), chunkBytes)).toBe(error);
  });
});
