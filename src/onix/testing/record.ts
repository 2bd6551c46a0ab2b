/** Reads one product that has the given content. */
import { readFeed } from "../feed-reader.ts";
import { buildRecord, readProduct } from "../record.ts";
import { message, type ProductOptions, product, textStream } from "./message.ts";

export async function readOne(options: ProductOptions) {
  for await (const { products, header } of readFeed(textStream(message(product(options))))) {
    for (const element of products) return readProduct(element, header.release);
  }
  throw new Error("no product");
}

export async function recordFrom(options: ProductOptions): Promise<Record<string, unknown>> {
  const product = await readOne(options);
  return JSON.parse(JSON.stringify(buildRecord(product, product.isbn!).record));
}

export async function remarksOn(options: ProductOptions) {
  return (await readOne(options)).remarks.map(({ kind, text }) => `${kind}: ${text}`);
}
