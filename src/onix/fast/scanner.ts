/**
 * One product, from the bytes of its XML to the bytes of its record, without a tree between.
 *
 * It takes what feeds are made of: elements, texts, references, CDATA, XHTML, comments. Where elements are not in the
 * order of the schema, it begins again and sorts them. Whatever it does not know for certain to be well-formed and
 * without a remark, it leaves (`scan` says so) to the reader and `record.ts`, whose answer is the rule: a test holds
 * the two against each other.
 */
import type { Isbn13 } from "../isbn.ts";
import { idOf } from "../record.ts";
import { CompositeScanner, PRODUCT, shuffled } from "./composites.ts";
import { NO_ELEMENT, short, unsure } from "./cursor.ts";
import { bytes } from "./tables.ts";

/** As `record.ts` begins a record; the ISBN, of which the id is made, is filled in twice. */
const HEAD = bytes(`{"_id":"${idOf("0000000000000" as Isbn13)}","RecordReference":"0000000000000"`);
const ID_AT = 8 + 24 - 13;
const REFERENCE_AT = HEAD.length - 14;

/** How a scan ends. */
export const DONE = 0;
export const UNSURE = 1;
export const SHORT = 2;
const SHUFFLED = 3;

export class Scanner extends CompositeScanner {
  /** Scans the product that begins at `at`, to behind its end tag. After any other outcome than done, `at` is as it was. */
  scan(end: number): number {
    for (;;) {
      const outcome = this.attempt(end, () => this.product());
      if (outcome !== SHUFFLED) return outcome;
    }
  }

  /** Passes over blanks. */
  skipBlanks(end: number): number {
    return this.attempt(end, () => this.blanks());
  }

  private attempt(end: number, read: () => void): number {
    const { at, lines, lineFeedAt, to } = this;
    this.end = end;
    try {
      read();
      return DONE;
    } catch (error) {
      [this.at, this.lines, this.lineFeedAt, this.to] = [at, lines, lineFeedAt, to];
      if (error === unsure) return UNSURE;
      if (error === short) return SHORT;
      if (error === shuffled) return SHUFFLED;
      throw error;
    }
  }

  /** Fills in what is known only at the end of the product that began at `start` of the output. */
  identify(start: number, isbn: Isbn13): void {
    for (let at = 0; at < 13; at++) {
      const digit = isbn.charCodeAt(at);
      this.output[start + ID_AT + at] = digit;
      this.output[start + REFERENCE_AT + at] = digit;
    }
  }

  private product(): void {
    this.clear();
    const { at } = this;
    // A comment before it is none of its own.
    if (this.element() !== PRODUCT || this.at !== at) throw unsure;
    this.write(HEAD);
    this.members(PRODUCT, NO_ELEMENT);
    this.put(0x7d);
  }
}
