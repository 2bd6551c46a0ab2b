import { expect, test } from "bun:test";
import fc from "fast-check";
import { message, product } from "../onix/testing/message.ts";
import { compareReaders, utf8 } from "./testing/compare-readers.ts";

/** Fragments that are inserted to break a feed. */
const fragments = [
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

test("both readers reject broken feeds for the same reason at the same position", async () => {
  const base = message(
    product({
      text: '<Text textformat="05" language="eng"><p>One &amp; <em>two</em></p></Text><Text><![CDATA[<b>]]></Text>',
      detail: '<Extent sourcename="x"><ExtentType>00</ExtentType></Extent><!-- y -->',
    }),
    product({ isbn: "9780199632091", detail: "<NoEdition/><Extent><ExtentType>00</ExtentType></Extent>" }),
    product({ isbn: "9791034567898" }),
  );
  let rejected = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(base.length),
      fc.nat(12),
      fc.constantFrom(...fragments),
      async (offset, removed, fragment) => {
        const bytes = utf8(base.slice(0, offset) + fragment + base.slice(offset + removed));
        if ((await compareReaders(bytes)) < 0) rejected++;
      },
    ),
    { numRuns: process.env.FUZZ ? 50_000 : 1_500 },
  );
  expect(rejected).toBeGreaterThan(100);
});

test("both readers reject bytes that are not UTF-8 in the same way", async () => {
  const base = utf8(message(product({ title: "ééé" }), product({ isbn: "9780199632091" })));
  await fc.assert(
    fc.asyncProperty(fc.nat(base.length - 1), fc.integer({ min: 0x80, max: 0xff }), async (offset, byte) => {
      const bytes = base.slice();
      bytes[offset] = byte;
      await compareReaders(bytes);
    }),
    { numRuns: process.env.FUZZ ? 10_000 : 400 },
  );
});
