/** A feed cut in two at every byte there is: both readers give what they give of the whole. */
import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { documents } from "../feed/container.ts";
import { inEncoding, streamOf } from "../feed/testing/streams.ts";
import { readFast } from "./fast/reader.ts";
import { readFeed } from "./reader.ts";
import { message, product } from "./testing/message.ts";

/** Small, for every byte of it is a run; with what readers look ahead for. */
const FEED = message(
  product({
    reference: "é中😀 &amp; <![CDATA[<b>]] ]]>&#233;",
    blocks: `<DescriptiveDetail><!-- a - b --><ProductComposition>00</ProductComposition></DescriptiveDetail>
      <CollateralDetail><TextContent><TextType>03</TextType><ContentAudience>00</ContentAudience>
      <Text textformat="05"><p>é中😀 &lt; <em>two</em></p></Text></TextContent></CollateralDetail>`,
  }),
)
  .replace(/\n\s+/g, "\n")
  .replaceAll("\n", "\r\n");

/** With one thing wrong near its end, so that the place of the complaint counts too. */
const BROKEN = FEED.replace("</Product>", "<b a=1></Product>");

type Reader = (source: AsyncIterable<Uint8Array>) => AsyncIterable<unknown>;

/** All that a reader gives, but for how it is dealt out in batches; or why it refuses. */
async function outcome(read: Reader, parts: readonly Uint8Array[]): Promise<string> {
  const products: unknown[] = [];
  const remarks: unknown[] = [];
  try {
    for await (const batch of read(streamOf(...parts))) {
      const given = batch as { products: readonly unknown[]; remarks: readonly unknown[] };
      products.push(...given.products);
      remarks.push(...given.remarks);
    }
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
  return JSON.stringify({ products, remarks });
}

const READERS: readonly (readonly [string, Reader])[] = [
  ["the reader", (source) => readFeed(source)],
  ["the fast reader", (source) => readFast(source)],
];

describe.each(READERS)("%s", (_, read) => {
  test.each([
    ["a good feed in UTF-8", FEED, "utf-8"],
    ["a good feed in UTF-16", `\uFEFF${FEED.replace("UTF-8", "UTF-16")}`, "utf-16le"],
    ["a broken feed", BROKEN, "utf-8"],
  ])("%s", async (_, text, encoding) => {
    const bytes = inEncoding(text, encoding);
    const whole = await outcome(read, [bytes]);
    expect(whole.startsWith("refused: line")).toBe(text === BROKEN);
    for (let at = 0; at <= bytes.length; at++) {
      const cut = await outcome(read, [bytes.subarray(0, at), bytes.subarray(at)]);
      if (cut !== whole) expect([at, cut]).toEqual([at, whole]);
    }
  });
});

test("a gzip cut in two at every byte", async () => {
  const packed = gzipSync(FEED);
  for (let at = 0; at <= packed.length; at++) {
    const found: string[] = [];
    for await (const { bytes } of documents(
      streamOf(packed.subarray(0, at), packed.subarray(at)),
      "feed.gz",
    )) {
      const parts: Uint8Array[] = [];
      for await (const part of bytes) parts.push(part);
      found.push(Buffer.concat(parts).toString());
    }
    expect(found).toEqual([FEED]);
  }
});
