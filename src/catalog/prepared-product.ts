import type { ScannedProduct } from "../onix/scanned-product.ts";
import type { StoredRecord } from "./store.ts";

/** A product as an import gets it: with the etag and the summary of its record, which the scanner thread makes. */
export interface PreparedProduct extends ScannedProduct {
  /** Is empty for a product without a body. */
  readonly etag: string;
  /** Is omitted for a product that is not a whole record, and in a preview. */
  readonly summary?: StoredRecord | undefined;
}
