/**
 * Turns the XML bytes of one product into the JSON bytes of its record, without building elements.
 *
 * Supports what feeds consist of: elements, texts, references, CDATA, XHTML, comments. When elements are out of order,
 * it starts again and sorts them. Everything else, and every product that needs a remark, is UNSUPPORTED and left to
 * the full reader (`feed-reader.ts`, `record.ts`). The full reader defines the result: tests compare the two.
 */
import type { Isbn13 } from "../isbn.ts";
import { recordId } from "../record.ts";
import { incomplete, NO_ELEMENT, unsupported } from "./byte-scanner.ts";
import { CompositeScanner, outOfOrder, PRODUCT } from "./composite-scanner.ts";
import { bytes } from "./scan-tables.ts";

/** How `buildRecord` begins a record. The ISBN is filled in at two offsets when it is known. */
const RECORD_START = bytes(
  `{"_id":"${recordId("0000000000000" as Isbn13)}","RecordReference":"0000000000000"`,
);
const ID_ISBN_OFFSET = 8 + 24 - 13;
const REFERENCE_ISBN_OFFSET = RECORD_START.length - 14;

/** Outcomes of a scan. */
export const SCANNED = 0;
export const UNSUPPORTED = 1;
export const INCOMPLETE = 2;
const OUT_OF_ORDER = 3;

export class ProductScanner extends CompositeScanner {
  /** Scans the product at `position`. Restores `position` and the output unless the outcome is SCANNED. */
  scan(inputEnd: number): number {
    for (;;) {
      const outcome = this.attempt(inputEnd, () => this.scanProduct());
      if (outcome !== OUT_OF_ORDER) return outcome;
    }
  }

  scanWhitespace(inputEnd: number): number {
    return this.attempt(inputEnd, () => this.skipWhitespace());
  }

  private attempt(inputEnd: number, read: () => void): number {
    const { position, lineFeeds, lastLineFeed, outputEnd } = this;
    this.inputEnd = inputEnd;
    try {
      read();
      return SCANNED;
    } catch (error) {
      [this.position, this.lineFeeds, this.lastLineFeed, this.outputEnd] = [
        position,
        lineFeeds,
        lastLineFeed,
        outputEnd,
      ];
      if (error === unsupported) return UNSUPPORTED;
      if (error === incomplete) return INCOMPLETE;
      if (error === outOfOrder) return OUT_OF_ORDER;
      throw error;
    }
  }

  /** Fills in the ISBN of the record that begins at `start` of the output. It is known only after the scan. */
  fillInIsbn(start: number, isbn: Isbn13): void {
    for (let i = 0; i < 13; i++) {
      const digit = isbn.charCodeAt(i);
      this.output[start + ID_ISBN_OFFSET + i] = digit;
      this.output[start + REFERENCE_ISBN_OFFSET + i] = digit;
    }
  }

  private scanProduct(): void {
    this.reset();
    const { position } = this;
    // `nextElement` skips comments; one before the product is left to the full reader.
    if (this.nextElement() !== PRODUCT || this.position !== position) throw unsupported;
    this.writeBytes(RECORD_START);
    this.writeMembers(PRODUCT, NO_ELEMENT);
    this.writeByte(0x7d);
  }
}
