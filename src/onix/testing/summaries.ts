/** Summaries of products, for tests. */
import { type Summary, summaryOfBody } from "../summary/summary.ts";
import type { ProductOptions } from "./message.ts";
import { readOne } from "./scan-message.ts";

export function parseSummary(body: Uint8Array): Summary {
  return JSON.parse(new TextDecoder().decode(summaryOfBody(body)));
}

export async function summaryOf(options: ProductOptions): Promise<Summary> {
  return parseSummary((await readOne(options)).body);
}

/** Summarises a product with only these blocks. */
export function summaryOfBlocks(blocks: string): Promise<Summary> {
  return summaryOf({ blocks });
}
