import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { bytesOf, splitAt, streamOf } from "../feed/testing/streams.ts";
import { type Chunk, ChunkCutter, firstProductStart, lastProductStart } from "./chunk-cutter.ts";

interface CutChunk extends Omit<Chunk, "buffer"> {
  readonly text: string;
}

async function cut(chunkBytes: number, ...parts: readonly Uint8Array[]): Promise<CutChunk[]> {
  const cutter = new ChunkCutter(streamOf(...parts), chunkBytes);
  const chunks: CutChunk[] = [];
  for (;;) {
    const { buffer, ...chunk } = await cutter.next();
    chunks.push({ ...chunk, text: Buffer.from(buffer.subarray(0, chunk.length)).toString("latin1") });
    // Buffers are used again, so a chunk that still needs its buffer would be damaged.
    buffer.fill(0);
    cutter.recycle(buffer);
    if (chunk.isLast || chunk.failure) return chunks;
  }
}

const texts = async (chunkBytes: number, text: string) =>
  (await cut(chunkBytes, bytesOf(text))).map((chunk) => chunk.text);

describe("ChunkCutter", () => {
  test("returns the bytes before the first product as the first chunk", async () => {
    expect(await texts(100, "<O><H/><Product>1</Product><Product>2</Product></O>")).toEqual([
      "<O><H/>",
      "<Product>1</Product><Product>2</Product></O>",
    ]);
  });

  test("cuts before the last product that begins in a full chunk", async () => {
    const [, ...others] = await texts(48, `<O>${"<Product>1234</Product>".repeat(5)}</O>`);
    expect(others).toEqual([
      "<Product>1234</Product>",
      "<Product>1234</Product>",
      "<Product>1234</Product>",
      "<Product>1234</Product>",
      "<Product>1234</Product></O>",
    ]);
  });

  test("ends a chunk after 4,000 products", async () => {
    const [, ...others] = await texts(60_000, `<O>${"<Product/>".repeat(10_001)}</O>`);
    const counts = others.map((chunk) => chunk.split("<Product/>").length - 1);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(10_001);
    expect(Math.max(...counts)).toBe(4001);
  });

  test("cuts before the last tag when no product begins in a full chunk", async () => {
    const chunks = await cut(32, bytesOf("<O><Product><a>1</a><b>2</b><c>3</c><d>4</d></Product></O>"));
    expect(chunks.map(({ text, beginsAtProduct }) => [text, beginsAtProduct])).toEqual([
      ["<O>", false],
      ["<Product><a>1</a><b>2</b><c>3", true],
      ["</c><d>4</d></Product></O>", false],
    ]);
  });

  test("divides neither a character nor CR LF in a long text", async () => {
    for (const text of ["é".repeat(100), "中".repeat(50), "😀".repeat(50), "a\r\n".repeat(50)]) {
      for (const chunkBytes of [16, 17, 18, 19]) {
        for (const part of await texts(chunkBytes, text)) {
          expect(Buffer.from(Buffer.from(part, "latin1").toString()).toString("latin1")).toBe(part);
          expect(part.startsWith("\n")).toBe(false);
        }
      }
    }
  });

  test("returns what was read before a failure, and the failure", async () => {
    async function* failing() {
      yield bytesOf("<O><Product>é").subarray(0, -1);
      throw new Error("no more");
    }
    const cutter = new ChunkCutter(failing(), 100);
    await cutter.next();
    const { buffer, ...chunk } = await cutter.next();
    expect(Buffer.from(buffer.subarray(0, chunk.length)).toString()).toBe("<Product>");
    expect(chunk).toMatchObject({ isLast: false, failure: { error: new Error("no more") } });
  });

  test("returns all bytes in order, for every chunk size and however the stream is split", async () => {
    const piece = fc.constantFrom(
      "<Product>",
      "</Product>",
      "<x:product a=''/>",
      "<a>",
      "é",
      "😀",
      "\r\n",
      " ",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 200 }),
        fc.integer({ min: 16, max: 300 }),
        fc.array(fc.nat(), { maxLength: 10 }),
        async (pieces, chunkBytes, offsets) => {
          const bytes = bytesOf(`<O>${pieces.join("")}`);
          const chunks = await cut(chunkBytes, ...splitAt(bytes, offsets));
          expect(chunks.map(({ text }) => text).join("")).toBe(Buffer.from(bytes).toString("latin1"));
          for (const [index, { text, beginsAtProduct, isLast }] of chunks.entries()) {
            expect(chunks[index - 1]?.endsAtProduct ?? false).toBe(beginsAtProduct);
            if (beginsAtProduct) expect(text).toMatch(/^<(?:x:)?[Pp]roduct[ >]/);
            expect(isLast).toBe(index === chunks.length - 1);
          }
        },
      ),
    );
  });
});

describe("firstProductStart and lastProductStart", () => {
  test.each([
    ["<Header/><Product>", 9],
    ["<Header/><product>", 9],
    ['<Header/><Product datestamp="x">', 9],
    ["<Header/><Product\n>", 9],
    ["<Header/><Product/>", 9],
    ["<x:Header/><x:Product>", 11],
    ["<ñ:Header/><ñ:Product>", 12],
    ["é<Product>", 2],
  ])("return the offset of the tag in %j", (text, offset) => {
    expect(firstProductStart(bytesOf(text), 1)).toBe(offset);
    expect(lastProductStart(bytesOf(text))).toBe(offset);
  });

  test.each([
    "<Product>",
    " </Product>",
    " <x:/Product>",
    " <ProductForm>",
    " <RelatedProduct>",
    " <a b:Product>",
    " Product>",
    " :Product>",
    " <PRODUCT>",
    " <Product",
    `<${"x".repeat(100)}:Product>`,
    "roduct>",
    "",
  ])("return -1 for %j", (text) => {
    expect(firstProductStart(bytesOf(text), 1)).toBe(-1);
    expect(lastProductStart(bytesOf(text))).toBe(-1);
  });

  test("return the first and the last of several", () => {
    const bytes = bytesOf("<Product><ProductForm/></Product><Product></Product><Product");
    expect(firstProductStart(bytes, 0)).toBe(0);
    expect(firstProductStart(bytes, 1)).toBe(33);
    expect(lastProductStart(bytes)).toBe(33);
  });
});
