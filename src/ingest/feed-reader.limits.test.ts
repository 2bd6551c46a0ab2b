/** Feeds with an endless part of every kind that XML has: rejected before they fill the memory. */
import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { unpackDocuments } from "../feed/container.ts";
import { FeedError } from "../feed/feed-error.ts";
import { bytesOf } from "../feed/testing/streams.ts";
import { readDocument } from "./testing/read-document.ts";

/** How far the reader reads ahead of the scanners: five chunks of 1 MB for two threads. */
const READ_AHEAD_MB = 5;

const START = '<ONIXMessage release="3.0">\n';
const IN_PRODUCT = `${START}<Product>`;
const TOKEN = "a text or comment is larger than 4 MB";
const TAG = "a tag is larger than 1 MB";
const OPENING = "the root element does not begin within 16 MB";
const END = "more than 16 MB follow the root element";
const PRODUCT = "a Product is larger than 16 MB";
const PRODUCTS = "<Product></Product>";

/** Reads a feed that repeats `endless`, up to `maxBytes`. Returns the error and how much was read before it. */
async function rejection(
  start: string,
  endless: string,
  maxBytes = 100e6,
): Promise<[reason: string, megabytes: number]> {
  const block = bytesOf(endless.repeat(Math.ceil(100_000 / endless.length)));
  let given = 0;
  async function* source() {
    yield bytesOf(start);
    while (given < maxBytes) {
      given += block.length;
      yield block;
    }
  }
  try {
    for await (const _ of readDocument(source()));
  } catch (error) {
    if (error instanceof FeedError) return [error.message, Math.ceil(given / 2 ** 20)];
    throw error;
  }
  return ["no error", 0];
}

describe("readDocument rejects an endless", () => {
  test.each([
    [
      "run of whitespace",
      "",
      " \n",
      "line 1, column 1: the feed begins with more than 64 kB of whitespace",
      1,
    ],
    [
      "run of whitespace after the declaration",
      "<?xml version='1.0'?>",
      "\n",
      `line 1, column 22: ${TOKEN}`,
      5,
    ],
    ["run of whitespace between products", `${START}<Product/>`, " ", `line 2, column 11: ${TOKEN}`, 5],
    ["text", `${IN_PRODUCT}<a>`, "x", `line 2, column 13: ${TOKEN}`, 5],
    ["text of carriage returns", `${IN_PRODUCT}<a>`, "\r", `line 2, column 13: ${TOKEN}`, 5],
    ["text of CDATA", `${IN_PRODUCT}<a>`, "<![CDATA[x]]>", `line 2, column 1: ${PRODUCT}`, 17],
    ["comment before the root", "<!--", "x", `line 1, column 1: ${TOKEN}`, 5],
    ["name", `${IN_PRODUCT}<`, "n", `line 2, column 10: ${TAG}`, 2],
    ["attribute", `${IN_PRODUCT}<a b="`, "x", `line 2, column 10: ${TAG}`, 2],
    ["root tag", "<ONIXMessage ", " ", `line 1, column 1: ${TAG}`, 2],
    [
      "reference",
      `${IN_PRODUCT}&`,
      "a",
      "line 2, column 10: not well-formed: & does not begin a reference",
      5,
    ],
    ["sequence of texts and comments", `${IN_PRODUCT}<a>`, "x<!-- -->", `line 2, column 1: ${PRODUCT}`, 17],
    [
      "product",
      IN_PRODUCT,
      "<Text>words and words and words and words and words and words and more</Text>\n",
      "line",
      17,
    ],
    [
      "sequence of empty elements",
      IN_PRODUCT,
      "<a/>\n",
      "line 200001, column 1: a Product has more than 200,000 elements",
      2,
    ],
    [
      "header",
      `${START}<Header>`,
      "<a/>\n",
      "line 200001, column 1: a Header has more than 200,000 elements",
      2,
    ],
    ["sequence of comments before the root", "", "<!-- c -->\n", `line 1, column 1: ${OPENING}`, 17],
    [
      "sequence of processing instructions before the root",
      "<?xml version='1.0'?>",
      "<?x y?>",
      `line 1, column 1: ${OPENING}`,
      17,
    ],
    ["run of whitespace after the root", `${START}</ONIXMessage>`, " ", `line 2, column 15: ${TOKEN}`, 5],
    [
      "sequence of comments after the root",
      `${START}</ONIXMessage>`,
      "<!-- c -->",
      `line 2, column 1: ${END}`,
      17,
    ],
    [
      "sequence of comments after an empty root",
      START.replace(">", "/>"),
      "<!-- c -->",
      `line 1, column 1: ${END}`,
      17,
    ],
    ["text between products", START, "x", `line 1, column 28: ${TOKEN}`, 5],
    [
      "ignored element",
      `${START}<Product/><Foo>`,
      "<a>text</a>",
      "line 2, column 11: a Foo is larger than 16 MB",
      17,
    ],
    // Chunks are cut where a product seems to begin. `tokenizer.limits.test.ts` has other contents of these.
    ["comment of products", `${START}<!--`, PRODUCTS, `line 2, column 1: ${TOKEN}`, 5],
    ["CDATA of products", `${IN_PRODUCT}<![CDATA[`, PRODUCTS, `line 2, column 10: ${TOKEN}`, 5],
    ["processing instruction of products", `${START}<?a `, PRODUCTS, `line 2, column 1: ${TOKEN}`, 5],
    [
      "DOCTYPE of products",
      "<!DOCTYPE a [",
      "<!ELEMENT Product ANY> <!-- <Product> --> ",
      `line 1, column 1: ${TOKEN}`,
      5,
    ],
    ["tag of products", `${START}<`, "a:Product", `line 2, column 1: ${TAG}`, 2],
    ["header of products", `${START}<Header>`, PRODUCTS, "line 2, column", 17],
    ["ignored element of products", `${START}<Foo>`, PRODUCTS, "line 2, column", 17],
    [
      "depth of nesting",
      IN_PRODUCT,
      "<a>\n",
      "line 100, column 1: elements are nested more than 100 levels deep",
      1,
    ],
    [
      "depth in an ignored element",
      `${START}<x>`,
      "<a>\n",
      "line 100, column 1: elements are nested more than 100 levels deep",
      1,
    ],
  ])(
    "%s",
    async (_, start, endless, reason, megabytes) => {
      const [why, given] = await rejection(start, endless);
      expect(why).toStartWith(reason);
      expect(given).toBeLessThanOrEqual(megabytes + READ_AHEAD_MB);
    },
    60_000,
  );

  test("sequence of attributes", async () => {
    const attributes = Array.from({ length: 100 }, (_, index) => `a${index}=""`).join(" ");
    expect((await rejection(`${IN_PRODUCT}<a ${attributes}/>\n<a ${attributes} `, "b='' "))[0]).toBe(
      "line 3, column 1: an element has more than 100 attributes",
    );
  });

  test("gzip bomb after a small part of it is unpacked", async () => {
    let given = 0;
    const size = 128 << 20;
    const bomb = gzipSync(Buffer.concat([bytesOf(START), Buffer.alloc(size, 0x20)]), { level: 1 });
    async function* counted() {
      for (let offset = 0; offset < bomb.length; offset += 1024) {
        given += 1024;
        yield bomb.subarray(offset, offset + 1024);
      }
    }
    for await (const { bytes } of unpackDocuments(counted(), "bomb.gz")) {
      const reading = (async () => {
        for await (const _ of readDocument(bytes));
      })();
      expect(reading).rejects.toThrow(TOKEN);
      await reading.catch(() => {});
    }
    expect(given).toBeLessThan(bomb.length / 10);
  });
});

test("readDocument has no limit for the whole feed when its parts are small", async () => {
  const parts = "<!-- c --><?pi x?>  <Product><Text>x</Text></Product><Other><a/></Other>\n";
  expect(await rejection(START, parts, 18e6)).toEqual([
    expect.stringMatching(/^line \d+, column 1: not well-formed: the feed ends inside <ONIXMessage>$/),
    expect.any(Number),
  ]);
});

test("readDocument reads a product just below the limits", async () => {
  const text = "x".repeat(4_000_000);
  const product = `<Product>${`<Text>${text}</Text>`.repeat(4)}${"<a/>".repeat(150_000)}</Product>`;
  let products = 0;
  for await (const batch of readDocument(
    (async function* () {
      yield bytesOf(`${START}${product}${product}</ONIXMessage>`);
    })(),
  )) {
    products += batch.products.length;
  }
  expect(products).toBe(2);
});
