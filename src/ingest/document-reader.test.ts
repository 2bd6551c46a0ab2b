import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { DecodeError, FeedError } from "../feed/feed-error.ts";
import { bytesOf, splitAt, streamOf } from "../feed/testing/streams.ts";
import { message, product } from "../onix/testing/message.ts";
import { DocumentReader } from "./document-reader.ts";
import { comparableProduct, LocalScanners } from "./testing/read-document.ts";

const ISBNS = ["9788437604947", "9780199632091", "9788400000004", "9791034567898", "9780306406157"];

interface Outcome {
  readonly products: readonly unknown[];
  readonly complaints: readonly unknown[];
  readonly error?: string;
}

async function read(
  document: AsyncIterable<Uint8Array>,
  chunkBytes: number,
  scanners = new LocalScanners(),
): Promise<Outcome> {
  const products: unknown[] = [];
  const complaints: unknown[] = [];
  try {
    for await (const batch of new DocumentReader(document, scanners, () => [], chunkBytes).batches()) {
      products.push(...batch.products.map(comparableProduct));
      complaints.push(...batch.complaints);
    }
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    return { products, complaints, error: error.message };
  }
  return { products, complaints };
}

const readText = (text: string, chunkBytes: number, scanners?: LocalScanners) =>
  read(streamOf(bytesOf(text)), chunkBytes, scanners);

/** Contains what looks like products where there are none. */
const TRICKY = message(
  product({ isbn: ISBNS[0]!, title: "<![CDATA[ <Product> ]]>" }),
  "<!-- <Product><Product> -->",
  product({ isbn: ISBNS[1]!, reference: "<!-- </Product> <Product> -->é中😀 &#233;" }),
  "<?pi <Product> ?>\r\n",
  product({ isbn: ISBNS[2]!, detail: "<Product><Product/></Product>" }),
  "stray<NoProduct/>",
  product({ isbn: ISBNS[3]!, text: `<Text>${"<![CDATA[<Product>]]>".repeat(60)}</Text>` }),
  product({ isbn: ISBNS[4]!, title: "x".repeat(3000) }).replaceAll("\n", "\r\n"),
)
  .replace("<Header>", "<!-- <Product> --><Header><!-- <Product> -->")
  .replace("<ONIXMessage", "<!-- <Product> --><ONIXMessage");

describe("DocumentReader", () => {
  test("returns the same for every chunk size", async () => {
    const whole = await readText(TRICKY, 1 << 20);
    expect([whole.error, whole.products.length, whole.complaints.length]).toEqual([undefined, 5, 1]);
    for (let chunkBytes = 16; chunkBytes < 3000; chunkBytes += chunkBytes < 150 ? 1 : 17) {
      const cut = await readText(TRICKY, chunkBytes);
      if (!Bun.deepEquals(cut, whole)) expect({ chunkBytes, ...cut }).toEqual({ chunkBytes, ...whole });
    }
  });

  test("returns the same with a namespace prefix, and with CR line ends", async () => {
    const prefixed = TRICKY.replace(/<(\/?)(?=[A-Z])(?!Product>)/g, "<$1o:").replace("xmlns=", "xmlns:o=");
    for (const text of [
      prefixed.replace(/<(\/?)Product>/g, "<$1o:Product>"),
      TRICKY.replace(/\r?\n/g, "\r"),
    ]) {
      const whole = await readText(text, 1 << 20);
      expect([whole.error, whole.products.length]).toEqual([undefined, 5]);
      for (let chunkBytes = 16; chunkBytes < 3000; chunkBytes += 37) {
        expect(await readText(text, chunkBytes)).toEqual(whole);
      }
    }
  });

  test("returns products in order when threads reply in any order", async () => {
    const products = Array.from({ length: 200 }, (_, index) => product({ reference: String(index) }));
    const expected = await readText(message(...products), 1 << 20);
    await fc.assert(
      fc.asyncProperty(
        fc.infiniteStream(fc.nat({ max: 5 })),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 2000, max: 20_000 }),
        async (delays, concurrency, chunkBytes) => {
          const scanners = new LocalScanners(concurrency, () => delays.next().value as number);
          expect(await readText(message(...products), chunkBytes, scanners)).toEqual(expected);
        },
      ),
      { numRuns: 20 },
    );
  });

  test("returns the same or the same error for generated messages", async () => {
    const part = fc.constantFrom(
      product({}),
      product({ title: "<![CDATA[<Product>]]>" }),
      "<!-- <Product> -->",
      "<Product/>",
      "<Product>",
      "</Product>",
      "<Header/>",
      "<![CDATA[<Product ]]>",
      "é\r\n",
      "&amp;",
      "&foo;",
      "<x:Product/>",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 12 }),
        fc.integer({ min: 16, max: 600 }),
        fc.array(fc.nat(), { maxLength: 3 }),
        async (parts, chunkBytes, offsets) => {
          const bytes = bytesOf(message(...parts));
          const whole = await read(streamOf(bytes), 1 << 20);
          const cut = await read(streamOf(...splitAt(bytes, offsets)), chunkBytes);
          if (whole.error === undefined) expect(cut).toEqual(whole);
          else expect(cut.error).toBe(whole.error);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("scans a product that is larger than many chunks in linear time", async () => {
    const large = product({ text: `<Text>${"<![CDATA[<Product>]]>".repeat(20_000)}</Text>` });
    const scanners = new LocalScanners();
    const { products, error } = await readText(message(large, product({})), 4096, scanners);
    expect([error, products.length]).toEqual([undefined, 2]);
    const total = scanners.scannedBytes.reduce((sum, bytes) => sum + bytes, 0);
    expect(total).toBeLessThan(large.length * 6);
  });

  test("takes the header from a document in which <Product> occurs before it, also with a complaint", async () => {
    const text = message(product({})).replace("<Header>", "stray<!-- <Product> --><Header>");
    for (const chunkBytes of [64, 1 << 20]) {
      for await (const { header } of new DocumentReader(
        streamOf(bytesOf(text)),
        new LocalScanners(),
        () => [],
        chunkBytes,
      ).batches()) {
        expect(header.sender?.name).toBe("Test");
      }
    }
  });

  test("yields one batch for a message without products", async () => {
    const reader = new DocumentReader(streamOf(bytesOf(message())), new LocalScanners(), () => []);
    expect(await Array.fromAsync(reader.batches())).toMatchObject([{ products: [], complaints: [] }]);
  });

  test("reads ahead only as many chunks as its threads need", async () => {
    let requested = 0;
    async function* endless() {
      yield bytesOf(message(product({})).replace("</ONIXMessage>", ""));
      for (;;) {
        requested++;
        yield bytesOf(product({}).padEnd(4096));
      }
    }
    const batches = new DocumentReader(endless(), new LocalScanners(2), () => [], 4096).batches();
    await batches.next();
    for (let count = 0; count < 50; count++) await new Promise((resolve) => setImmediate(resolve));
    expect(requested).toBeLessThan(12);
    await batches.return(undefined);
  });
});

describe("DocumentReader throws", () => {
  const START = message(product({ isbn: ISBNS[0]! })).replace("</ONIXMessage>\n", "");

  test("a decoding error at the end of what was decoded", async () => {
    async function* failing(text: string) {
      yield bytesOf(text);
      throw new DecodeError("not valid as UTF-16LE");
    }
    for (const chunkBytes of [16, 100, 2000, 1 << 20]) {
      const { error, products } = await read(failing(`${START}<Product>\r\n é😀`), chunkBytes);
      expect(error).toBe(`line ${START.split("\n").length + 1}, column 4: not valid as UTF-16LE`);
      expect(products).toHaveLength(1);
      const earlier = await read(failing(`${START}<Product a=1>`), chunkBytes);
      expect(earlier.error).toEndWith("unquoted attribute value");
    }
  });

  test("an error of the scanner", async () => {
    const scanners = new LocalScanners();
    scanners.scan = () => Promise.reject(new Error("a scanner thread has failed"));
    expect(readText(message(product({})), 1000, scanners)).rejects.toThrow("a scanner thread has failed");
  });
});

describe("DocumentReader warns about control characters", () => {
  test("names the only one", async () => {
    const { complaints } = await readText(message(product({ title: "s&#156;ur" })), 2000);
    expect(complaints).toMatchObject([
      { text: "The text has the control character U+009C: it probably is a letter of windows-1252." },
    ]);
  });

  test.each([
    ["as a character", "s\u009cur and \u0085", "U+009C", 2],
    ["as a decimal reference", "s&#156;ur", "U+009C", 1],
    ["as a hexadecimal reference", "s&#x9C;ur", "U+009C", 1],
  ])("%s, at the first one, with their number", async (_, title, name, count) => {
    const text = message(
      product({ isbn: ISBNS[0]!, title: "« ¿ &#233; &#9;»" }),
      product({ isbn: ISBNS[1]!, title }),
      product({ isbn: ISBNS[2]!, title: "x\u0080" }),
    );
    const before = text.slice(0, text.search(/\u009c|&#156|&#x9C/)).split("\n");
    for (const chunkBytes of [200, 2000, 1 << 20]) {
      expect((await readText(text, chunkBytes)).complaints).toEqual([
        {
          kind: "control-characters",
          text: `The text has control characters such as ${name}, ${count + 1} in all: they probably are letters of windows-1252.`,
          line: before.length,
          column: before.at(-1)!.length + 1,
        },
      ]);
    }
  });
});
