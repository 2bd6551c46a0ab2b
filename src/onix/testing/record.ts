/** Reads one product that has the given content. */
import type { RecordFields } from "../record/record-fields.ts";
import type { ScannedProduct } from "../scanned-product.ts";
import { message, type ProductOptions, product } from "./message.ts";
import { scanMessage } from "./scan-message.ts";

export async function readOne(options: ProductOptions): Promise<ScannedProduct> {
  const { products } = await scanMessage(message(product(options)));
  if (products.length !== 1) throw new Error(`${products.length} products`);
  return products[0]!;
}

export async function recordFrom(options: ProductOptions): Promise<Record<string, unknown>> {
  return recordOf(await readOne(options));
}

/** Returns the DescriptiveDetail of a record that has the given content at its end. */
export async function detailFrom(xml: string): Promise<RecordFields> {
  return (await recordFrom({ detail: xml })).DescriptiveDetail as RecordFields;
}

export function recordOf({ body }: ScannedProduct): Record<string, unknown> {
  return JSON.parse(new TextDecoder().decode(body));
}

export async function complaintsOn(options: ProductOptions): Promise<string[]> {
  return (await readOne(options)).complaints.map(({ kind, text }) => `${kind}: ${text}`);
}
