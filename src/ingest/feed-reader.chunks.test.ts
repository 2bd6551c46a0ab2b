/** Feeds whose bytes arrive in any parts: the products, complaints and errors are the same as for the whole feed. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { bytesOf, encodeAs, splitAt, streamOf } from "../feed/testing/streams.ts";
import { waitFor } from "../lib/testing/wait-for.ts";
import { identifier, message, product } from "../onix/testing/message.ts";
import { messageVariant } from "../onix/testing/message-variants.ts";
import { recordOf } from "../onix/testing/scan-message.ts";
import { outcome, readDocument, readWholeDocument } from "./testing/read-document.ts";

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

/** A message with one error near its end, so that its position is compared too. */
const BROKEN = FEED.replace("</Product>", "<b a=1></Product>");

describe("readDocument returns the same", () => {
  test.each([
    ["a valid feed in UTF-8", FEED, "utf-8"],
    ["a valid feed in UTF-16", `\uFEFF${FEED.replace("UTF-8", "UTF-16")}`, "utf-16le"],
    ["a broken feed", BROKEN, "utf-8"],
  ])("for %s that is split at any byte", async (_, text, encoding) => {
    const bytes = encodeAs(text, encoding);
    const whole = await outcome([bytes]);
    expect(whole.startsWith("error: line")).toBe(text === BROKEN);
    for (let offset = 0; offset <= bytes.length; offset++) {
      const chunkBytes = offset % 2 === 0 ? undefined : 64 + (offset % 600);
      const split = await outcome([bytes.subarray(0, offset), bytes.subarray(offset)], chunkBytes);
      if (split !== whole) expect([offset, split]).toEqual([offset, whole]);
    }
  });

  const encodings = ["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"];
  const text = messageVariant({
    release: "3.0",
    tags: "short",
    namespace: "prefix",
    doctype: true,
    declaration: '<?xml version="1.0"?>\r\n',
  })
    .replaceAll("\n", "\r\n")
    .replace("gone", "gone 😀 𝒜&#x1F600;&eacute;");

  test.each(encodings)("for one byte at a time, in %s", async (encoding) => {
    const bytes = encodeAs(`\ufeff${text}`, encoding);
    const whole = await outcome([bytes]);
    expect(JSON.parse(whole).products).toHaveLength(2);
    expect(await outcome(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toBe(whole);
  });

  test("for parts and chunks of random sizes", async () => {
    const whole = new Map<string, string>();
    for (const encoding of encodings) {
      whole.set(encoding, await outcome([encodeAs(`\ufeff${text}`, encoding)]));
    }
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...encodings),
        fc.array(fc.nat({ max: 20_000 }), { maxLength: 40 }),
        fc.integer({ min: 16, max: 5000 }),
        async (encoding, offsets, chunkBytes) => {
          const parts = splitAt(encodeAs(`\ufeff${text}`, encoding), offsets);
          expect(await outcome(parts, chunkBytes)).toBe(whole.get(encoding)!);
        },
      ),
      { numRuns: 60 },
    );
  });

  const line = "El ñandú y la niña: ".replace(/[^ -~]/g, "").concat("日本語の本");
  test.each(["shift_jis", "euc-jp", "gb18030", "big5", "euc-kr", "iso-2022-jp"])(
    "for %s, a multi-byte encoding, split at any byte",
    async (encoding) => {
      const isbn = identifier("15", "9788437604947");
      const xml = `<?xml version="1.0" encoding="${encoding}"?><ONIXMessage release="3.0"><Product>${isbn}<TitleText>${line}</TitleText></Product></ONIXMessage>`;
      // big5 and euc-kr do not have every character of the line.
      const available = encoding === "big5" || encoding === "euc-kr" ? xml.replace("の", "本") : xml;
      const bytes = encodeAs(available, encoding);
      const { products } = await readWholeDocument(streamOf(bytes));
      expect(recordOf(products[0]!).TitleText).toEqual([available.match(/El[^<]*/)![0]]);
      const whole = await outcome([bytes]);
      for (let offset = 1; offset < bytes.length; offset++) {
        expect(await outcome(splitAt(bytes, [offset]))).toBe(whole);
      }
    },
  );
});

describe("the batches of readDocument", () => {
  const repeated = (count: number) =>
    messageVariant({ release: "3.0", tags: "reference", namespace: "none" }).replace(
      /<Product [\s\S]*<\/Product>/,
      (products) => products.repeat(count),
    );

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
    const lines: number[] = [];
    for await (const batch of readDocument(source(), 64 << 10)) {
      counts.push(bytesRead);
      lines.push(...batch.products.map(({ line }) => line));
      expect(batch.header.sender?.name).toBe("Ediciones del Molino");
    }
    expect(lines).toHaveLength(600);
    expect(lines).toEqual(lines.toSorted((a, b) => a - b));
    expect(counts.length).toBeGreaterThan(4);
    expect(counts[0]).toBeLessThan(bytes.length);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(counts.at(-1)).toBe(bytes.length);
  });

  test("are not read far ahead of the consumer, and the source is closed when the consumer stops", async () => {
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
    for await (const batch of readDocument(source(), 64 << 10)) {
      if (batch.products.length === 0) continue;
      expect(batch.products.length).toBeGreaterThan(1000);
      break;
    }
    await waitFor("the source is closed", () => closed);
    expect(given).toBeLessThan(20);
  });
});
