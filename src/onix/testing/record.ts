/** What becomes of a product that has this in it. */

import { readFeed } from "../reader.ts";
import { readProduct, recordOf } from "../record.ts";
import { bytesOf, message, type ProductOptions, product } from "./message.ts";

export async function read(options: ProductOptions) {
  for await (const { products, header } of readFeed(bytesOf(message(product(options))))) {
    for (const element of products) return readProduct(element, header.release);
  }
  throw new Error("no product");
}

export async function record(options: ProductOptions): Promise<Record<string, unknown>> {
  const product = await read(options);
  return JSON.parse(JSON.stringify(recordOf(product, product.isbn!).record));
}

export async function remarks(options: ProductOptions) {
  return (await read(options)).remarks.map(({ kind, text }) => `${kind}: ${text}`);
}
