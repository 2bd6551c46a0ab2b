/**
 * One product, from the bytes of its XML to the bytes of its record, in one pass and without a tree between.
 *
 * It takes what feeds are made of: elements in the order of the schema, texts, entities, CDATA, XHTML, comments.
 * Whatever it does not know for certain to be well-formed, in order and without a remark, it leaves (`scan` says
 * no) to the reader and `record.ts`, whose answer is the rule: a test holds the two against each other.
 */
import type { Isbn13 } from "../isbn.ts";
import { idOf } from "../record.ts";
import { short, unsure } from "./cursor.ts";
import {
  bytes,
  COMPOSITE,
  codesOf,
  elementAt,
  FLAG,
  keyOf,
  kindOf,
  letterOf,
  numberOf,
  ONE,
  pack,
  placeOf,
  REPEATS,
  steps,
} from "./tables.ts";
import { TextScanner } from "./texts.ts";

export const PRODUCT = numberOf("Product");
const REFERENCE = numberOf("RecordReference");
const IDENTIFIER = numberOf("ProductIdentifier");
const DESCRIPTIVE = numberOf("DescriptiveDetail");
const SUBJECT = numberOf("Subject");
const MAIN_SUBJECT = numberOf("MainSubject");
const RANGE = numberOf("AudienceRange");
const PRECISION = numberOf("AudienceRangePrecision");
const RANGE_VALUE = numberOf("AudienceRangeValue");
const COLLECTION = numberOf("Collection");
const NO_COLLECTION = numberOf("NoCollection");
const NO_EDITION = numberOf("NoEdition");
const DELETION = numberOf("DeletionText");
const EDITIONS = new Set(
  ["EditionType", "EditionNumber", "EditionVersionNumber", "EditionStatement"].map(numberOf),
);
const HAS_COLLECTION = 1;
const HAS_NO_COLLECTION = 2;
const HAS_EDITION = 4;
const HAS_NO_EDITION = 8;
const COLLECTION_BITS = HAS_COLLECTION | HAS_NO_COLLECTION;
const EDITION_BITS = HAS_EDITION | HAS_NO_EDITION;
const SET_HERE = 16;
const NO_COLLECTION_PLACE = placeOf(DESCRIPTIVE, NO_COLLECTION) >> 2;
const NO_EDITION_PLACE = placeOf(DESCRIPTIVE, NO_EDITION) >> 2;

const EMPTY = bytes("[]");
const TRUE = bytes('["true"]');
const NO_MAIN_SUBJECT = bytes('"MainSubject":[]');
/** As `record.ts` begins a record; the ISBN, of which the id is made, is filled in twice. */
const HEAD = bytes(`{"_id":"${idOf("0000000000000" as Isbn13)}","RecordReference":"0000000000000"`);
const ID_AT = 8 + 24 - 13;
const REFERENCE_AT = HEAD.length - 14;

/**
 * A text that a record is found by: the element, the composite it stands in, and the one that stands in; its place in
 * the output. Element -1 is the beginning of the composite.
 */
export interface Taps {
  tap(composite: number, within: number, element: number, start: number, end: number): void;
}

/** How a scan ends. */
export const DONE = 0;
export const UNSURE = 1;
export const SHORT = 2;

const TAPPED = [
  ...["RecordReference", "NotificationType", "ProductIDType", "IDValue", "ImprintName", "PublishingRole"],
  ...["PublisherName", "LanguageRole", "LanguageCode", "PublishingDateRole", "MarketDateRole", "Date"],
  // Composites, told of when they begin.
  ...["ProductIdentifier", "Publisher", "Language", "PublishingDate", "MarketDate"],
];
const isTapped = new Uint8Array(keyOf.length);
for (const name of TAPPED) isTapped[numberOf(name)] = 1;

const DEEPEST = 50;

export class Scanner extends TextScanner {
  /** Identifiers to be appended to those of the product, each with a comma before it; set by whoever knows the book. */
  complete: () => Uint8Array = () => EMPTY.subarray(2);
  /** Flags that were set here. */
  set: string[] = [];
  /** As `Builder.exceptions`, by child of the product. */
  exceptions: Record<string, number[]> = {};
  private depth = 0;

  constructor(
    size: number,
    private readonly taps: Taps,
  ) {
    super(size);
  }

  /** Scans the product that begins at `at`, to behind its end tag. After any other outcome than done, `at` is as it was. */
  scan(end: number): number {
    const [at, lines, lineFeedAt, to] = [this.at, this.lines, this.lineFeedAt, this.to];
    this.end = end;
    this.set = [];
    this.exceptions = {};
    this.own = [];
    this.texts = 0;
    this.attributes.length = 0;
    this.depth = 0;
    try {
      this.product();
      return DONE;
    } catch (error) {
      [this.at, this.lines, this.lineFeedAt, this.to] = [at, lines, lineFeedAt, to];
      if (error === unsure) return UNSURE;
      if (error === short) return SHORT;
      throw error;
    }
  }

  /** Passes over blanks; false when they are not as usual. */
  skipBlanks(end: number): boolean {
    this.end = end;
    try {
      this.blanks();
      return true;
    } catch (error) {
      if (error === unsure) return false;
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
    if (this.byte(this.at) !== 0x3c) throw unsure;
    const open = this.at + 1;
    const { element, nameEnd } = this.name(open);
    if (element !== PRODUCT || this.byte(nameEnd) !== 0x3e) throw unsure;
    this.at = nameEnd + 1;
    this.write(HEAD);
    this.members(PRODUCT, -1, open, nameEnd, false);
    this.put(0x7d);
  }

  /** The elements of a composite, as members of an object whose brace stands already; and its end tag. */
  private members(composite: number, within: number, open: number, openEnd: number, isFirst: boolean): void {
    if (++this.depth > DEEPEST) throw unsure;
    let first = isFirst;
    let current = -1;
    let place = 0;
    let count = 0;
    let valueAt = 0;
    let flags = 0;
    // MainSubject comes first, sent or not.
    if (composite === SUBJECT) first = false;
    for (;;) {
      this.blanks();
      if (this.byte(this.at) !== 0x3c) throw unsure;
      const next = this.byte(this.at + 1);
      if (next === 0x21) {
        this.comment();
        continue;
      }
      const isEnd = next === 0x2f;
      let element = -1;
      let nameStart = 0;
      let nameEnd = 0;
      if (!isEnd) {
        nameStart = this.at + 1;
        let node = 0;
        let at = nameStart;
        const { input, end } = this;
        for (; at < end; at++) {
          const letter = letterOf[input[at]!]!;
          if (letter === 0) break;
          node = steps[node * 64 + letter]!;
          if (node === 0) throw unsure;
        }
        nameEnd = at;
        element = elementAt[node]!;
        if (element < 0) throw at >= end ? short : unsure;
      }
      if (isEnd || element !== current) {
        if (current >= 0) {
          if (count > 1 || (place & (REPEATS | ONE)) === REPEATS) {
            if (current === IDENTIFIER && composite === PRODUCT) this.write(this.complete());
            this.put(0x5d);
          }
          if (this.attributes.length > 0)
            this.attributesOf(current, count, (place & (REPEATS | ONE)) === REPEATS || count > 1);
          if (composite === PRODUCT) this.endOfChild(current);
        }
        const before = place >> 2;
        place = isEnd ? 0xffff : placeOf(composite, element);
        if (place === 0 || place >> 2 < before) throw unsure;
        if (composite === DESCRIPTIVE) {
          flags = this.descriptiveFlags(element, place >> 2, flags, first);
          if (flags >= SET_HERE) {
            flags -= SET_HERE;
            first = false;
          }
        } else if (composite === SUBJECT && current < 0 && element !== MAIN_SUBJECT)
          this.write(NO_MAIN_SUBJECT);
        if (isEnd) break;
        if (composite === PRODUCT && element === DELETION) throw unsure;
        current = element;
        count = 0;
      }
      const isText = kindOf[element] !== COMPOSITE && kindOf[element] !== FLAG;
      if (count === 0) {
        if (composite === PRODUCT && element === REFERENCE) {
          this.reference(nameStart, nameEnd);
          count = 1;
          continue;
        }
        if (composite === SUBJECT && element === MAIN_SUBJECT) this.write(keyOf[element]!);
        else this.member(element, first);
        first = false;
        if ((place & (REPEATS | ONE)) === REPEATS) this.put(0x5b);
        valueAt = this.to;
      } else {
        if ((place & REPEATS) === 0) throw unsure;
        if (count === 1 && (place & ONE) !== 0) {
          this.output.copyWithin(valueAt + 1, valueAt, this.to);
          this.output[valueAt] = 0x5b;
          this.to++;
        }
        this.put(0x2c);
      }
      if (isText) this.text(element, composite, within, nameStart, nameEnd, count);
      else if (kindOf[element] === FLAG) this.flag(element, nameStart, nameEnd);
      else this.composite(element, composite, nameStart, nameEnd);
      count++;
    }
    this.endTag(open, openEnd);
    this.depth--;
  }

  /**
   * NoCollection and NoEdition say what is true, sent or not (as `record.ts` sees to it): set when their place is
   * passed and neither they nor what they deny was there. Gives what was there so far, and whether one was set.
   */
  private descriptiveFlags(element: number, place: number, before: number, first: boolean): number {
    let seen = before;
    let isFirst = first;
    if (element === COLLECTION) seen |= HAS_COLLECTION;
    else if (EDITIONS.has(element)) seen |= HAS_EDITION;
    else if (element === NO_COLLECTION) seen |= HAS_NO_COLLECTION;
    else if (element === NO_EDITION) seen |= HAS_NO_EDITION;
    if ((seen & COLLECTION_BITS) === COLLECTION_BITS || (seen & EDITION_BITS) === EDITION_BITS) throw unsure;
    if (place > NO_COLLECTION_PLACE && (seen & COLLECTION_BITS) === 0) {
      this.setFlag(NO_COLLECTION, "NoCollection", isFirst);
      isFirst = false;
      seen |= HAS_NO_COLLECTION;
    }
    if (place > NO_EDITION_PLACE && (seen & EDITION_BITS) === 0) {
      this.setFlag(NO_EDITION, "NoEdition", isFirst);
      isFirst = false;
      seen |= HAS_NO_EDITION;
    }
    return isFirst === first ? seen : seen + SET_HERE;
  }

  private setFlag(element: number, name: string, first: boolean): void {
    this.member(element, first);
    this.write(EMPTY);
    this.set.push(name);
  }

  private composite(element: number, within: number, nameStart: number, nameEnd: number): void {
    if (this.byte(nameEnd) !== 0x3e) throw unsure;
    this.put(0x7b);
    this.at = nameEnd + 1;
    if (isTapped[element] === 1) this.taps.tap(element, within, -1, 0, 0);
    if (element === RANGE) this.range(nameStart, nameEnd);
    else this.members(element, within, nameStart, nameEnd, true);
    this.put(0x7d);
  }

  /** Precisions and values stand in turn (ONIX 3, P.13), the one place where names of siblings are mixed. */
  private range(open: number, openEnd: number): void {
    const from = this.to;
    const precisions: Uint8Array[] = [];
    const values: Uint8Array[] = [];
    let first = true;
    for (;;) {
      this.blanks();
      if (this.byte(this.at) !== 0x3c) throw unsure;
      if (this.byte(this.at + 1) === 0x2f) break;
      const nameStart = this.at + 1;
      const { element, nameEnd } = this.name(nameStart);
      const place = placeOf(RANGE, element);
      if (place === 0 || this.byte(nameEnd) !== 0x3e) throw unsure;
      const isPair = element === PRECISION || element === RANGE_VALUE;
      if (!isPair) {
        if (!first || precisions.length + values.length > 0) throw unsure;
        this.member(element, first);
        first = false;
      }
      const start = this.to;
      this.text(element, RANGE, DESCRIPTIVE, nameStart, nameEnd, 0);
      if (isPair) {
        (element === PRECISION ? precisions : values).push(
          new Uint8Array(this.output.subarray(start, this.to)),
        );
        this.to = start;
      }
    }
    for (const [element, list] of [
      [PRECISION, precisions],
      [RANGE_VALUE, values],
    ] as const) {
      if (list.length === 0) continue;
      this.member(element, this.to === from);
      this.put(0x5b);
      list.forEach((value, at) => {
        if (at > 0) this.put(0x2c);
        this.write(value);
      });
      this.put(0x5d);
    }
    // Texts are counted in the order of the record, where precisions come before values: only exceptions would tell.
    this.endTag(open, openEnd);
  }

  /** Attributes of a flag, and what stands in it, are left to the other way. */
  private flag(element: number, nameStart: number, nameEnd: number): void {
    let at = nameEnd;
    while (this.byte(at) === 0x20) at++;
    if (this.byte(at) === 0x2f && this.byte(at + 1) === 0x3e) this.at = at + 2;
    else if (this.byte(nameEnd) === 0x3e) {
      this.at = nameEnd + 1;
      this.endTag(nameStart, nameEnd);
    } else throw unsure;
    this.write(element === MAIN_SUBJECT ? TRUE : EMPTY);
  }

  private reference(nameStart: number, nameEnd: number): void {
    const start = this.to;
    this.text(REFERENCE, PRODUCT, -1, nameStart, nameEnd, 0);
    if (this.attributes.length > 0) throw unsure;
    this.to = start;
  }

  /** Exceptions belong to the child of the product, with which a block update replaces them. */
  private endOfChild(child: number): void {
    if (this.own.length > 0) {
      const key = keyOf[child]!;
      this.exceptions[new TextDecoder().decode(key.subarray(1, -2))] = this.own;
      this.own = [];
    }
    this.texts = 0;
  }

  /** A text element from behind its name to behind its end tag, as a JSON string. */
  private text(
    element: number,
    composite: number,
    within: number,
    nameStart: number,
    nameEnd: number,
    member: number,
  ): void {
    this.format = false;
    let at = this.attributesIn(nameEnd, member);
    this.put(0x22);
    const start = this.to;
    if (this.byte(at) === 0x2f) {
      if (this.byte(at + 1) !== 0x3e) throw unsure;
      this.at = at + 2;
    } else {
      at++;
      const { lines, lineFeedAt } = this;
      if (!this.plain(at, start)) {
        [this.lines, this.lineFeedAt] = [lines, lineFeedAt];
        this.markup(at, start);
      }
      this.endTag(nameStart, nameEnd);
    }
    const codes = codesOf[element];
    if (codes && !codes.has(pack(this.output, start, this.to))) throw unsure;
    if (isTapped[element] === 1) this.taps.tap(composite, within, element, start, this.to);
    this.put(0x22);
    this.texts++;
  }

  private member(element: number, first: boolean): void {
    if (!first) this.put(0x2c);
    this.write(keyOf[element]!);
  }
}
