import type { ScannedProduct } from "../onix/scanned-product.ts";
import type { SearchDocument } from "./search/search-document.ts";
import type { StoredRecord } from "./store.ts";

/** A product as an import gets it, with what the scanner thread makes of its record. */
export interface PreparedProduct extends ScannedProduct {
  /** Is empty for a product without a body. */
  readonly etag: string;
  /** Is omitted for a product that is not a whole record, and in a preview. */
  readonly summary?: StoredRecord | undefined;
  /** Is omitted as the summary is. */
  readonly search?: SearchDocument | undefined;
}
