/** Feeds that never end, in every way that XML has: refused in one line, before they fill the memory. */
import { describe, expect, test } from "bun:test";
import { FeedError } from "../feed/feed-error.ts";
import { bytesOf } from "../feed/testing/streams.ts";
import { readFeed } from "./reader.ts";

const R = '<ONIXMessage release="3.0">\n';
const P = `${R}<Product>`;
const TOKEN = "a text or comment of more than 4 MB";
const PRODUCT = "a Product of more than 16 MB";

/** Why it is refused, and after how many megabytes. */
async function refusal(
  start: string,
  endless: string,
  most = 100e6,
): Promise<[reason: string, megabytes: number]> {
  const block = bytesOf(endless.repeat(Math.ceil(100_000 / endless.length)));
  let given = 0;
  async function* source() {
    yield bytesOf(start);
    while (given < most) {
      given += block.length;
      yield block;
    }
  }
  try {
    for await (const _ of readFeed(source()));
  } catch (error) {
    if (error instanceof FeedError) return [error.message, Math.ceil(given / 2 ** 20)];
    throw error;
  }
  return ["read", 0];
}

describe("an endless", () => {
  test.each([
    ["run of blanks", "", " \n", "line 32769, column 1: nothing but blanks", 1],
    ["run of blanks behind the declaration", "<?xml version='1.0'?>", "\n", `line 1, column 22: ${TOKEN}`, 5],
    ["run of blanks between products", `${R}<Product/>`, " ", `line 2, column 11: ${TOKEN}`, 5],
    ["text", `${P}<a>`, "x", `line 2, column 13: ${TOKEN}`, 5],
    ["text of carriage returns", `${P}<a>`, "\r", `line 2, column 13: ${TOKEN}`, 5],
    ["text of references", `${P}<a>`, "&lt;", `line 2, column 13: ${TOKEN}`, 5],
    ["text of CDATA", `${P}<a>`, "<![CDATA[x]]>", `line 2, column 1: ${PRODUCT}`, 17],
    ["CDATA", `${P}<a><![CDATA[`, "]", `line 2, column 13: ${TOKEN}`, 5],
    ["comment", `${P}<!--`, " - ", `line 2, column 10: ${TOKEN}`, 5],
    ["comment before the root", "<!--", "x", `line 1, column 1: ${TOKEN}`, 5],
    ["instruction", `${P}<?x `, "?", `line 2, column 10: ${TOKEN}`, 5],
    ["DOCTYPE", "<!DOCTYPE x [", "<!ENTITY a 'b'>", `line 1, column 1: ${TOKEN}`, 5],
    ["name", `${P}<`, "n", `line 2, column 10: ${TOKEN}`, 5],
    ["attribute", `${P}<a b="`, "x", "line 2, column 13: a tag of more than 1 MB", 2],
    ["attribute of tabs", `${P}<a b="`, "\t", "line 2, column 13: a tag of more than 1 MB", 2],
    ["tag", `${P}<a `, " ", "line 2, column 13: a tag of more than 1 MB", 2],
    ["root tag", "<ONIXMessage ", " ", "line 1, column 14: a tag of more than 1 MB", 2],
    ["reference", `${P}&`, "a", "line 2, column 10: not well-formed: & that begins no reference", 5],
    ["row of texts with comments", `${P}<a>`, "x<!-- -->", `line 2, column 1: ${PRODUCT}`, 17],
    [
      "product",
      P,
      "<Text>words and words and words and words and words and words and more</Text>\n",
      "line",
      17,
    ],
    [
      "row of empty elements",
      P,
      "<a/>\n",
      "line 200001, column 1: a Product of more than 200,000 elements",
      2,
    ],
    ["header", `${R}<Header>`, "<a/>\n", "line 200001, column 1: a Header of more than 200,000 elements", 2],
    ["depth", P, "<a>\n", "line 100, column 1: elements nested more than 100 deep", 1],
    [
      "depth of what is passed over",
      `${R}<x>`,
      "<a>\n",
      "line 100, column 1: elements nested more than 100 deep",
      1,
    ],
  ])(
    "%s",
    async (_, start, endless, reason, megabytes) => {
      const [why, given] = await refusal(start, endless);
      expect(why).toStartWith(reason);
      expect(given).toBeLessThanOrEqual(megabytes);
    },
    60_000,
  );

  test("row of attributes", async () => {
    const attributes = Array.from({ length: 100 }, (_, index) => `a${index}=""`).join(" ");
    expect((await refusal(`${P}<a ${attributes}/>\n<a ${attributes} `, "b='' "))[0]).toBe(
      "line 3, column 1: an element with more than 100 attributes",
    );
  });

  test("feed is read on and on, as long as its parts are small", async () => {
    const parts = "<!-- c --><?pi x?>  <Product><Text>x</Text></Product><Other><a/></Other>\n";
    expect(await refusal(R, parts, 20e6)).toEqual([
      expect.stringMatching(/^line \d+, column 1: not well-formed: the feed ends inside <ONIXMessage>$/),
      expect.any(Number),
    ]);
  }, 60_000);
});

test("a product just below the bounds is read", async () => {
  const text = "x".repeat(4_000_000);
  const product = `<Product>${`<Text>${text}</Text>`.repeat(4)}${"<a/>".repeat(150_000)}</Product>`;
  let products = 0;
  for await (const batch of readFeed(
    (async function* () {
      yield bytesOf(`${R}${product}${product}</ONIXMessage>`);
    })(),
  )) {
    products += batch.products.length;
  }
  expect(products).toBe(2);
});
