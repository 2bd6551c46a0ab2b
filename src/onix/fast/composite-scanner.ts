/** Writes the elements of a composite as members of a JSON object, in the order and arity of the standard. */
import { isSpecialDateFormat } from "../date.ts";
import { AbsenceFlags } from "./absence-flags.ts";
import { NO_ELEMENT, unsupported } from "./byte-scanner.ts";
import {
  bytes,
  COMPOSITE,
  codesOf,
  ELEMENT_COUNT,
  elementName,
  elementNumber,
  FLAG,
  jsonKeyOf,
  kindOf,
  packCode,
  placementOf,
  REPEATS,
  SINGLE_OR_ARRAY_BIT,
} from "./scan-tables.ts";
import { type SortedChildren, SortingScanner } from "./sorting-scanner.ts";

export const PRODUCT = elementNumber("Product");
const RECORD_REFERENCE = elementNumber("RecordReference");
const PRODUCT_IDENTIFIER = elementNumber("ProductIdentifier");
const DELETION_TEXT = elementNumber("DeletionText");
const DESCRIPTIVE_DETAIL = elementNumber("DescriptiveDetail");
const SUBJECT = elementNumber("Subject");
const MAIN_SUBJECT = elementNumber("MainSubject");
const AUDIENCE_RANGE = elementNumber("AudienceRange");
const DATE_FORMAT = elementNumber("DateFormat");

/** Greater than every placement. */
const AFTER_LAST_PLACEMENT = 0xffff;
const EMPTY_ARRAY = bytes("[]");
const TRUE_ARRAY = bytes('["true"]');
const MAX_SCANNED_DEPTH = 50;

class ElementsOutOfOrder extends Error {}
/** Thrown when elements are not in the order of the schema: the product must be scanned again, with sorting. */
export const outOfOrder = new ElementsOutOfOrder();

/** Is notified of the texts that records are indexed by. */
export interface TextObserver {
  /** A product begins. */
  reset(): void;
  /**
   * A text was written to the output, from `start` to `end`. `composite` contains it, and `parent` contains the
   * composite. When `element` is NO_ELEMENT, the composite begins.
   */
  observe(composite: number, parent: number, element: number, start: number, end: number): void;
}

const OBSERVED_ELEMENTS = [
  ...["RecordReference", "NotificationType", "ProductIDType", "IDValue", "ImprintName", "PublishingRole"],
  ...["PublisherName", "LanguageRole", "LanguageCode", "PublishingDateRole", "MarketDateRole", "Date"],
  // Composites, whose beginning is observed.
  ...["ProductIdentifier", "Publisher", "Language", "PublishingDate", "MarketDate"],
];
const isObserved = new Uint8Array(ELEMENT_COUNT);
for (const name of OBSERVED_ELEMENTS) isObserved[elementNumber(name)] = 1;

export abstract class CompositeScanner extends SortingScanner {
  /** Returns the JSON of the missing identifiers, each with a comma before it. The owner of the scanner sets it. */
  missingIdentifiers: () => Uint8Array = () => new Uint8Array(0);
  /** `FieldBuilder.exceptions`, by name of the child of the product. */
  exceptions: Record<string, number[]> = {};
  private readonly absenceFlags = new AbsenceFlags();
  /** Texts of the current child of the product so far, and which of them are exceptions. */
  private textCount = 0;
  private childExceptions: number[] = [];
  private depth = 0;
  /** The last valid code of each element. */
  private readonly lastCodes = new Float64Array(ELEMENT_COUNT).fill(Number.NaN);
  /** Composites whose elements were once found out of order. They are sorted from then on. */
  private readonly needsSorting = new Uint8Array(ELEMENT_COUNT);

  constructor(
    outputBytes: number,
    private readonly observer: TextObserver,
  ) {
    super(outputBytes);
    // Precisions and values alternate (ONIX 3, P.13). No other composite mixes the names of its children.
    this.needsSorting[AUDIENCE_RANGE] = 1;
  }

  /** Flags that were added to DescriptiveDetail. */
  get addedFlags(): readonly string[] {
    return this.absenceFlags.added;
  }

  /** Clears the state of the previous product or attempt. */
  protected reset(): void {
    this.observer.reset();
    this.absenceFlags.reset();
    this.exceptions = {};
    this.childExceptions = [];
    this.textCount = 0;
    this.xhtmlElements = 0;
    this.textAttributes.length = 0;
    this.depth = 0;
  }

  /** Reads a composite from its name to its end tag, and writes its members after the opening brace. */
  protected writeMembers(composite: number, parent: number): void {
    const nameStart = this.position + 1;
    const { nameEnd } = this;
    if (++this.depth > MAX_SCANNED_DEPTH) throw unsupported;
    this.writeCompositeAttributes();
    const isEmpty = this.readStartTagEnd();
    const sorted = this.needsSorting[composite] === 1 && !isEmpty ? this.sortChildren(composite) : undefined;
    let element = isEmpty ? NO_ELEMENT : this.nextChild(sorted);
    if (composite === SUBJECT) this.writeMissingMainSubject(element);
    let lastPlacement = 0;
    while (element !== NO_ELEMENT) {
      const placement = placementOf(composite, element);
      if (placement === 0) throw unsupported;
      if (placement < lastPlacement) {
        this.needsSorting[composite] = 1;
        throw outOfOrder;
      }
      lastPlacement = placement;
      if (composite === DESCRIPTIVE_DETAIL) this.addAbsenceFlags(element, placement);
      element = this.writeGroup(element, placement, composite, parent, sorted);
    }
    if (composite === DESCRIPTIVE_DETAIL) this.addAbsenceFlags(NO_ELEMENT, AFTER_LAST_PLACEMENT);
    if (!isEmpty) this.readEndTag(nameStart, nameEnd);
    this.depth--;
  }

  private nextChild(sorted: SortedChildren | undefined): number {
    if (sorted) this.moveToNextChild(sorted);
    return this.nextElement();
  }

  /** Writes consecutive elements of one name as one member. Returns the element that follows them. */
  private writeGroup(
    element: number,
    placement: number,
    composite: number,
    parent: number,
    sorted: SortedChildren | undefined,
  ): number {
    if (composite === PRODUCT) {
      if (element === DELETION_TEXT) throw unsupported;
      if (element === RECORD_REFERENCE) return this.readRecordReference(sorted);
    }
    this.writeKey(element);
    const isAlwaysArray = (placement & (REPEATS | SINGLE_OR_ARRAY_BIT)) === REPEATS;
    if (isAlwaysArray) this.writeByte(0x5b);
    const valueStart = this.outputEnd;
    this.writeValue(element, composite, parent, 0);
    let count = 1;
    let next = this.nextChild(sorted);
    for (; next === element; next = this.nextChild(sorted)) {
      if ((placement & REPEATS) === 0) throw unsupported;
      if (count === 1 && !isAlwaysArray) this.insertByte(valueStart, 0x5b);
      this.writeByte(0x2c);
      this.writeValue(element, composite, parent, count++);
    }
    if (element === PRODUCT_IDENTIFIER && composite === PRODUCT) this.writeBytes(this.missingIdentifiers());
    const isArray = isAlwaysArray || count > 1;
    if (isArray) this.writeByte(0x5d);
    if (this.textAttributes.length > 0) this.writeTextAttributes(element, count, isArray);
    if (composite === PRODUCT) this.finishChild(element);
    return next;
  }

  private writeValue(element: number, composite: number, parent: number, member: number): void {
    const kind = kindOf[element];
    if (kind === COMPOSITE) {
      if (isObserved[element] === 1) this.observer.observe(element, composite, NO_ELEMENT, 0, 0);
      this.writeByte(0x7b);
      this.writeMembers(element, composite);
      this.writeByte(0x7d);
    } else if (kind === FLAG) this.writeFlag(element);
    else this.writeText(element, composite, parent, member);
  }

  /** Writes a text element as a JSON string. */
  private writeText(element: number, composite: number, parent: number, member: number): void {
    const nameStart = this.position + 1;
    const { nameEnd } = this;
    this.readTextAttributes(member);
    this.writeByte(0x22);
    const start = this.outputEnd;
    if (!this.readStartTagEnd()) {
      if (this.readContent()) this.childExceptions.push(this.textCount);
      this.readEndTag(nameStart, nameEnd);
    }
    const codes = codesOf[element];
    if (codes) this.checkCode(element, codes, start);
    if (element === DATE_FORMAT && isSpecialDateFormat(this.output.toString("latin1", start, this.outputEnd)))
      throw unsupported;
    if (isObserved[element] === 1) this.observer.observe(composite, parent, element, start, this.outputEnd);
    this.writeByte(0x22);
    this.textCount++;
  }

  /** Most codes are the same as in the previous product, and need no lookup. */
  private checkCode(element: number, codes: ReadonlySet<number>, start: number): void {
    const code = packCode(this.output, start, this.outputEnd);
    if (code === this.lastCodes[element]) return;
    if (!codes.has(code)) throw unsupported;
    this.lastCodes[element] = code;
  }

  /** A flag with attributes or content is not supported. */
  private writeFlag(element: number): void {
    const nameStart = this.position + 1;
    const { nameEnd } = this;
    this.position = nameEnd;
    this.skipWhitespace();
    if (this.byteAt(this.position) === 0x2f && this.byteAt(this.position + 1) === 0x3e) this.position += 2;
    else if (this.byteAt(nameEnd) === 0x3e) {
      this.position = nameEnd + 1;
      this.readEndTag(nameStart, nameEnd);
    } else throw unsupported;
    this.writeBytes(element === MAIN_SUBJECT ? TRUE_ARRAY : EMPTY_ARRAY);
  }

  /** Reports the sender's reference to the observer. It is not part of the record, so its output is discarded. */
  private readRecordReference(sorted: SortedChildren | undefined): number {
    const { outputEnd } = this;
    this.writeText(RECORD_REFERENCE, PRODUCT, NO_ELEMENT, 0);
    if (this.textAttributes.length > 0) throw unsupported;
    this.outputEnd = outputEnd;
    this.finishChild(RECORD_REFERENCE);
    const next = this.nextChild(sorted);
    if (next === RECORD_REFERENCE) throw unsupported;
    return next;
  }

  /** Every Subject has MainSubject as its first member. */
  private writeMissingMainSubject(first: number): void {
    if (first === MAIN_SUBJECT) return;
    this.writeKey(MAIN_SUBJECT);
    this.writeBytes(EMPTY_ARRAY);
  }

  private addAbsenceFlags(element: number, placement: number): void {
    const { absenceFlags } = this;
    if (element !== NO_ELEMENT) absenceFlags.notePresent(element);
    for (
      let flag = absenceFlags.nextMissing(placement);
      flag !== NO_ELEMENT;
      flag = absenceFlags.nextMissing(placement)
    ) {
      this.writeKey(flag);
      this.writeBytes(EMPTY_ARRAY);
    }
  }

  /** Exceptions belong to a child of the product, because a block update replaces them together with it. */
  private finishChild(child: number): void {
    if (this.childExceptions.length > 0) {
      this.exceptions[elementName(child)] = this.childExceptions;
      this.childExceptions = [];
    }
    this.textCount = 0;
  }

  private writeKey(element: number): void {
    this.writeComma();
    this.writeBytes(jsonKeyOf[element]!);
  }

  private insertByte(offset: number, byte: number): void {
    this.output.copyWithin(offset + 1, offset, this.outputEnd);
    this.output[offset] = byte;
    this.outputEnd++;
  }
}
