import { describe, expect, test } from "bun:test";
import { isScannedProduct } from "../onix/fast/fast-reader.ts";
import { message, product, textStream } from "../onix/testing/message.ts";
import { decodeBatch, encodeBatch } from "./batch-codec.ts";
import { parseFeed, prepareFeed } from "./feed-batches.ts";

const MIXED = message(
  product({ isbn: "9788437604947", reference: "" }),
  product({
    isbn: "9780199632091",
    reference: "é-1",
    imprint: "One",
    languages: ["spa", "eng"],
    date: "202401",
  }),
  product({ isbn: "9788400000004", detail: "<Foo/>" }),
  product({ isbn: "9791034567898", imprint: "", languages: [], date: "" }),
  product({
    isbn: "9780306406157",
    reference: "é-1",
    imprint: "Two",
    languages: ["eng", "spa"],
    date: "2023",
  }),
  product({ isbn: "9780140449136", imprint: "One", languages: ["spa eng"], detail: "<NoEdition/>" }),
  product({ notification: "05" }),
);

describe("encodeBatch and decodeBatch", () => {
  test("return the prepared batch, also across a structured clone", async () => {
    const scanned: boolean[] = [];
    const decoded = [];
    for await (const batch of parseFeed("feed", textStream(MIXED))) {
      scanned.push(...batch.products.map(isScannedProduct));
      const encoded = encodeBatch(batch);
      const transfer = [encoded.bodies.buffer as ArrayBuffer];
      decoded.push(decodeBatch(structuredClone(encoded, { transfer })));
    }
    expect(scanned.filter(Boolean)).toHaveLength(3);
    expect(scanned.indexOf(false)).toBe(0);
    expect(decoded).toEqual(await Array.fromAsync(prepareFeed("feed", textStream(MIXED))));
    expect(decoded.flatMap(({ products }) => products)).toHaveLength(7);
  });

  test("accept a batch without scanned products", async () => {
    const [batch] = await Array.fromAsync(parseFeed("feed", textStream(message())));
    const decoded = decodeBatch(structuredClone(encodeBatch(batch!)));
    expect(decoded).toMatchObject({ file: "feed", document: 1, products: [] });
  });
});
