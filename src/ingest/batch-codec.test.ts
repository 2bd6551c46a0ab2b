import { expect, test } from "bun:test";
import { isScannedProduct } from "../onix/fast/fast-reader.ts";
import { textStream, message, product } from "../onix/testing/message.ts";
import { pack, unpack } from "./batch-codec.ts";
import { batchesFrom, preparedFrom } from "./feed-batches.ts";

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

test("a batch that has gone to another thread is the same batch", async () => {
  const scanned: boolean[] = [];
  const gone = [];
  for await (const batch of batchesFrom("feed", textStream(MIXED))) {
    scanned.push(...batch.products.map(isScannedProduct));
    const packed = pack(batch);
    gone.push(unpack(structuredClone(packed, { transfer: [packed.bodies.buffer as ArrayBuffer] })));
  }
  expect(scanned.filter(Boolean)).toHaveLength(3);
  expect(scanned.indexOf(false)).toBe(0);
  const stayed = await Array.fromAsync(preparedFrom("feed", textStream(MIXED)));
  expect(gone).toEqual(stayed);
  expect(gone.flatMap(({ products }) => products)).toHaveLength(7);
});

test("a batch without a scanned product goes, too", async () => {
  const [batch] = await Array.fromAsync(batchesFrom("feed", textStream(message())));
  expect(unpack(structuredClone(pack(batch!)))).toMatchObject({ file: "feed", document: 1, products: [] });
});
