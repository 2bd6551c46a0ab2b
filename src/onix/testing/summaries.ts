/** Summaries of products, for tests. */
import type { Price } from "../summary/prices.ts";
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

/** A price of a summary without any restriction. */
export const PLAIN_PRICE: Price = {
  amount: "9.50",
  currency: "EUR",
  type: "02",
  from: null,
  until: null,
  territory: null,
  qualifier: null,
  conditions: [],
  minimumQuantity: null,
  taxes: [],
};
