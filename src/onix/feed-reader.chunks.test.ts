/** A feed that is split in two at any byte: both readers return the same as for the whole feed. */
import { describe, expect, test } from "bun:test";
import { encodeAs, streamOf } from "../feed/testing/streams.ts";
import { readFeedFast } from "./fast/fast-reader.ts";
import { readFeed } from "./feed-reader.ts";
import { message, product } from "./testing/message.ts";

/** Small, because each byte of it needs a run. Contains everything that readers look ahead for. */
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

/** Has one error near its end, so that its position is compared too. */
const BROKEN = FEED.replace("</Product>", "<b a=1></Product>");

type Reader = (source: AsyncIterable<Uint8Array>) => AsyncIterable<{
  readonly products: readonly unknown[];
  readonly remarks: readonly unknown[];
}>;

/** Returns the products and remarks of all batches as JSON, or the error message. */
async function outcome(read: Reader, parts: readonly Uint8Array[]): Promise<string> {
  const products: unknown[] = [];
  const remarks: unknown[] = [];
  try {
    for await (const batch of read(streamOf(...parts))) {
      products.push(...batch.products);
      remarks.push(...batch.remarks);
    }
  } catch (error) {
    return `error: ${(error as Error).message}`;
  }
  return JSON.stringify({ products, remarks });
}

const READERS: readonly (readonly [string, Reader])[] = [
  ["readFeed", readFeed],
  ["readFeedFast", readFeedFast],
];

describe.each(READERS)("%s", (_, read) => {
  test.each([
    ["a valid feed in UTF-8", FEED, "utf-8"],
    ["a valid feed in UTF-16", `\uFEFF${FEED.replace("UTF-8", "UTF-16")}`, "utf-16le"],
    ["a broken feed", BROKEN, "utf-8"],
  ])("returns the same for %s that is split at any byte", async (_, text, encoding) => {
    const bytes = encodeAs(text, encoding);
    const whole = await outcome(read, [bytes]);
    expect(whole.startsWith("error: line")).toBe(text === BROKEN);
    for (let offset = 0; offset <= bytes.length; offset++) {
      const split = await outcome(read, [bytes.subarray(0, offset), bytes.subarray(offset)]);
      if (split !== whole) expect([offset, split]).toEqual([offset, whole]);
    }
  });
});
