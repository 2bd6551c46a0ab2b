import { expect, test } from "bun:test";
import fc from "fast-check";
import { message, product } from "../onix/testing/message.ts";
import { compareReaders, utf8 } from "./testing/compare-readers.ts";

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
      text: '<Text textformat="05" language="eng"><p>One &amp; <em>two</em></p></Text><Text><![CDATA[<b>]]></Text>',
      detail: '<Extent sourcename="x"><ExtentType>00</ExtentType></Extent><!-- y -->',
    }),
    product({ isbn: "9780199632091", detail: "<NoEdition/><Extent><ExtentType>00</ExtentType></Extent>" }),
    product({ isbn: "9791034567898" }),
  );
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(base.length),
      fc.nat(12),
      fc.constantFrom(...pieces),
      async (at, removed, piece) => {
        const bytes = utf8(base.slice(0, at) + piece + base.slice(at + removed));
        if ((await compareReaders(bytes)) < 0) refused++;
      },
    ),
    { numRuns: process.env.FUZZ ? 50_000 : 1_500 },
  );
  expect(refused).toBeGreaterThan(100);
});

test("bytes that are no UTF-8 are refused by both", async () => {
  const base = utf8(message(product({ title: "ééé" }), product({ isbn: "9780199632091" })));
  await fc.assert(
    fc.asyncProperty(fc.nat(base.length - 1), fc.integer({ min: 0x80, max: 0xff }), async (at, byte) => {
      const bytes = base.slice();
      bytes[at] = byte;
      await compareReaders(bytes);
    }),
    { numRuns: process.env.FUZZ ? 10_000 : 400 },
  );
});
