import type { ScannedProduct } from "../onix/scanned-product.ts";

/** A product as an import gets it: with the etag of its record, which the scanner thread computes. */
export interface PreparedProduct extends ScannedProduct {
  /** Is empty for a product without a body. */
  readonly etag: string;
}
