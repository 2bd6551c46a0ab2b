/** Reads whole messages, and writes their records as messages again. */
import { FeedError } from "../../feed/feed-error.ts";
import { bytesOf, streamOf } from "../../feed/testing/streams.ts";
import { utf8Document } from "../../feed/utf8-document.ts";
import type { Complaint } from "../complaint.ts";
import type { MessageHeader } from "../message-header.ts";
import { ChunkScanner } from "../reader/chunk-scanner.ts";
import type { Origin } from "../record/origin.ts";
import type { RecordFields } from "../record/record-fields.ts";
import type { ScannedProduct } from "../scanned-product.ts";
import { messageEnd, messageStart, noProduct, sentDateTime } from "../writer/message.ts";
import { type WriteProductOptions, writeProduct } from "../writer/product-writer.ts";
import { message, type ProductOptions, product } from "./message.ts";

export interface ScannedMessage {
  readonly header: MessageHeader;
  readonly products: readonly ScannedProduct[];
  /** Complaints about the message as a whole. Those about its encoding come first. */
  readonly complaints: readonly Complaint[];
}

/** A product that has a record, as a store keeps it. */
export interface StoredProduct {
  readonly record: RecordFields;
  readonly origin: Origin;
  readonly reference: string;
}

/** Reads a message in any encoding. @throws {FeedError} when it is not well-formed or not ONIX 3 */
export async function scanMessage(message: Uint8Array | string): Promise<ScannedMessage> {
  const bytes = typeof message === "string" ? bytesOf(message) : message;
  const complaints: Complaint[] = [];
  const warn = (text: string, line: number, column: number) =>
    complaints.push({ kind: "encoding", text, line, column });
  const document = await Array.fromAsync(utf8Document(streamOf(bytes), warn), (chunk) => chunk.slice());
  const result = new ChunkScanner().scan(Buffer.concat(document), undefined, true);
  if (result.kind === "error") {
    throw new FeedError(result.message, result.position.line, result.position.column);
  }
  complaints.push(...result.complaints);
  return { header: result.context!.header, products: result.products, complaints };
}

export function storedProducts({ products }: ScannedMessage): StoredProduct[] {
  return products
    .filter(({ body }) => body.length > 0)
    .map(({ body, origin, reference }) => ({
      record: JSON.parse(new TextDecoder().decode(body)),
      origin: JSON.parse(origin),
      reference,
    }));
}

/** Writes a message as `colophon export --format onix` does. */
export function writeMessage(
  release: "3.0" | "3.1",
  products: readonly StoredProduct[],
  options: WriteProductOptions = {},
): string {
  const written = products.map(({ record, origin, reference }) =>
    writeProduct(record, reference, origin, options),
  );
  const { tags } = options;
  const start = messageStart({ release, sender: "test", sent: sentDateTime(new Date(0)), tags });
  return start + (written.join("") || noProduct(tags)) + messageEnd(tags);
}

/** Reads one product that has the given content. */
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
