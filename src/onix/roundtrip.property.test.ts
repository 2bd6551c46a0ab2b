/** Products that are generated from the element table: a record that is written and read again is the same record. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { ProductGenerator } from "./testing/product-generator.ts";
import { type StoredProduct, scanMessage, storedProducts, writeMessage } from "./testing/scan-message.ts";
import { messageEnd, messageStart } from "./writer/message.ts";

async function readAll(xml: string): Promise<StoredProduct[]> {
  return storedProducts(await scanMessage(xml));
}

test("a record that writeProduct writes is read back unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(fc.gen(), fc.constantFrom("3.0" as const, "3.1" as const), async (draw, release) => {
      const product = new ProductGenerator(draw).product();
      const first = await readAll(
        messageStart({ release, sender: "test", sent: "19700101" }) + product + messageEnd(),
      );
      const xml = writeMessage(release, first);
      const second = await readAll(xml);
      expect(second).toEqual(first);
      expect(writeMessage(release, second)).toBe(xml);
    }),
    { numRuns: process.env.FUZZ ? 20_000 : 300 },
  );
});
