import type { Day } from "../date.ts";
import type { IndexFields } from "../scanned-product.ts";
import type { BookFields } from "./book-fields.ts";

/**
 * Gets the fields of the records that will be stored as they are, to make summaries and the like of them without parsing
 * their JSON.
 */
export interface RecordVisitor {
  /** Forgets what has not been taken, because a chunk begins. */
  begin(): void;
  /** Is called for each product, in order. The fields are valid during the call; undefined without a whole record. */
  visit(record: VisitedRecord | undefined): void;
}

export interface VisitedRecord {
  readonly fields: BookFields;
  readonly index: IndexFields;
  /** The latest datestamp of the record. */
  readonly updated: Day | undefined;
}
