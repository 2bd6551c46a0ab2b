/** A product of a feed as the reader returns it: the bytes of its record, and what the catalog needs to import it. */
import type { Complaint } from "./complaint.ts";
import type { Day } from "./date.ts";
import type { Isbn13 } from "./isbn.ts";

/**
 * What a product asks for, by its NotificationType (ONIX list 1):
 * `record`: the whole record (01, 02, 03, 08, 09); `update`: its blocks replace those of the record (04);
 * `deletion` (05, or a DeletionText with text); `test`: a test record (88, 89), counted and not stored;
 * `rejection`: a whole record without an ISBN, any product that has nothing but a broken ISBN-10, and one without
 * DescriptiveDetail whose type is unknown.
 */
export type ProductAction = "record" | "update" | "deletion" | "test" | "rejection";

export interface ScannedProduct {
  readonly action: ProductAction;
  /** The ISBN that the message states. Undefined when it states none. */
  readonly isbn: Isbn13 | undefined;
  /** The sender's RecordReference, or an empty string. */
  readonly reference: string;
  /**
   * The JSON bytes of the record; empty unless the action is `record` or `update`. For an update without an ISBN, the
   * places of the ISBN have zeros.
   */
  readonly body: Uint8Array;
  readonly index: IndexFields;
  /** `Origin` as JSON. */
  readonly origin: string;
  /** For an update: the product has an ISBN and the blocks that ONIX requires of a whole record. */
  readonly isWhole: boolean;
  /** For a rejection: the reason, in one sentence. Else empty. */
  readonly rejection: string;
  readonly complaints: readonly Complaint[];
  /** What a shop needs and the product lacks; see `check/completeness.ts`. 0 when the product was not checked. */
  readonly completeness: number;
  /** The position of the start tag, counted from 1. */
  readonly line: number;
  readonly column: number;
}

/** The fields of a record that it is found by. */
export interface IndexFields {
  readonly imprint: string | undefined;
  /** The languages of the text, in lower case. */
  readonly languages: readonly string[];
  /** The day of PublishingDate of role 01. */
  readonly publishingDay: Day | undefined;
  /** The earliest day of MarketDate of role 01. It counts when there is no publishing day. */
  readonly marketDay: Day | undefined;
}
