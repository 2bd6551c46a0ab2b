/** The elements of a composite as the members of an object: in order, of the right arity, each with its value. */
import { hasOwnReading } from "../day.ts";
import { NO_ELEMENT, unsure } from "./cursor.ts";
import { Denials } from "./denials.ts";
import { OrderScanner, type Sorted } from "./order.ts";
import {
  bytes,
  COMPOSITE,
  COUNT,
  codesOf,
  FLAG,
  keyOf,
  kindOf,
  nameOf,
  numberOf,
  ONE,
  pack,
  placeOf,
  REPEATS,
} from "./tables.ts";

export const PRODUCT = numberOf("Product");
const REFERENCE = numberOf("RecordReference");
const IDENTIFIER = numberOf("ProductIdentifier");
const DELETION = numberOf("DeletionText");
const DESCRIPTIVE = numberOf("DescriptiveDetail");
const SUBJECT = numberOf("Subject");
const MAIN_SUBJECT = numberOf("MainSubject");
const RANGE = numberOf("AudienceRange");
const DATE_FORMAT = numberOf("DateFormat");

/** Behind that of every element. */
const LAST_PLACE = 0xffff;
const EMPTY = bytes("[]");
const TRUE = bytes('["true"]');
const DEEPEST = 50;

/** Elements of a composite are not in the order of the schema: once more, and sorted. */
class Shuffled extends Error {}
export const shuffled = new Shuffled();

/** Who is told of what a record is found by. */
export interface Taps {
  /** A product begins. */
  clear(): void;
  /**
   * A text: the element, the composite it stands in, and the one that stands in; its place in the output. Element -1
   * is the beginning of the composite.
   */
  tap(composite: number, within: number, element: number, start: number, end: number): void;
}

const TAPPED = [
  ...["RecordReference", "NotificationType", "ProductIDType", "IDValue", "ImprintName", "PublishingRole"],
  ...["PublisherName", "LanguageRole", "LanguageCode", "PublishingDateRole", "MarketDateRole", "Date"],
  // Composites, told of when they begin.
  ...["ProductIdentifier", "Publisher", "Language", "PublishingDate", "MarketDate"],
];
const isTapped = new Uint8Array(COUNT);
for (const name of TAPPED) isTapped[numberOf(name)] = 1;

export abstract class CompositeScanner extends OrderScanner {
  /** Identifiers to be appended to those of the product, each with a comma before it; set by whoever knows the book. */
  complete: () => Uint8Array = () => new Uint8Array(0);
  /** As `Builder.exceptions`, by child of the product. */
  exceptions: Record<string, number[]> = {};
  private readonly denials = new Denials();
  /** Texts so far of the child of the product that is being scanned; and which of them are exceptions. */
  private texts = 0;
  private own: number[] = [];
  private depth = 0;
  /** The last right code of each element. */
  private readonly lastCodes = new Float64Array(COUNT).fill(Number.NaN);
  /** Composites whose elements were found in another order than that of the schema: sorted from then on. */
  private readonly sorts = new Uint8Array(COUNT);

  constructor(
    size: number,
    private readonly taps: Taps,
  ) {
    super(size);
    // Precisions and values stand in turn (ONIX 3, P.13), the one place where names of siblings are mixed.
    this.sorts[RANGE] = 1;
  }

  /** Flags of DescriptiveDetail that were set here. */
  get set(): readonly string[] {
    return this.denials.set;
  }

  /** Nothing of another product is left, nor of an attempt at this one. */
  protected clear(): void {
    this.taps.clear();
    this.denials.clear();
    this.exceptions = {};
    this.own = [];
    this.texts = 0;
    this.tags = 0;
    this.attributes.length = 0;
    this.depth = 0;
  }

  /** A composite from its name to behind its end tag, as members of an object whose brace stands already. */
  protected members(composite: number, within: number): void {
    const nameStart = this.at + 1;
    const { nameEnd } = this;
    if (++this.depth > DEEPEST) throw unsure;
    this.compositeAttributes();
    const isEmpty = this.endOfStartTag();
    const sorted = this.sorts[composite] === 1 && !isEmpty ? this.sorted(composite) : undefined;
    let element = isEmpty ? NO_ELEMENT : this.next(sorted);
    if (composite === SUBJECT) this.beginSubject(element);
    let before = 0;
    while (element !== NO_ELEMENT) {
      const place = placeOf(composite, element);
      if (place === 0) throw unsure;
      if (place < before) {
        this.sorts[composite] = 1;
        throw shuffled;
      }
      before = place;
      if (composite === DESCRIPTIVE) this.setFlags(element, place);
      element = this.group(element, place, composite, within, sorted);
    }
    if (composite === DESCRIPTIVE) this.setFlags(NO_ELEMENT, LAST_PLACE);
    if (!isEmpty) this.endTag(nameStart, nameEnd);
    this.depth--;
  }

  private next(sorted: Sorted | undefined): number {
    if (sorted) this.turnTo(sorted);
    return this.element();
  }

  /** All elements of one name, which stand one behind the other, as one member. Gives the element behind them. */
  private group(
    element: number,
    place: number,
    composite: number,
    within: number,
    sorted: Sorted | undefined,
  ): number {
    if (composite === PRODUCT) {
      if (element === DELETION) throw unsure;
      if (element === REFERENCE) return this.sendersReference(sorted);
    }
    this.member(element);
    const isAlwaysMany = (place & (REPEATS | ONE)) === REPEATS;
    if (isAlwaysMany) this.put(0x5b);
    const valueAt = this.to;
    this.value(element, composite, within, 0);
    let count = 1;
    let next = this.next(sorted);
    for (; next === element; next = this.next(sorted)) {
      if ((place & REPEATS) === 0) throw unsure;
      if (count === 1 && !isAlwaysMany) this.makeRoomAt(valueAt, 0x5b);
      this.put(0x2c);
      this.value(element, composite, within, count++);
    }
    if (element === IDENTIFIER && composite === PRODUCT) this.write(this.complete());
    const isMany = isAlwaysMany || count > 1;
    if (isMany) this.put(0x5d);
    if (this.attributes.length > 0) this.attributesOf(element, count, isMany);
    if (composite === PRODUCT) this.endOfChild(element);
    return next;
  }

  private value(element: number, composite: number, within: number, member: number): void {
    const kind = kindOf[element];
    if (kind === COMPOSITE) {
      if (isTapped[element] === 1) this.taps.tap(element, composite, NO_ELEMENT, 0, 0);
      this.put(0x7b);
      this.members(element, composite);
      this.put(0x7d);
    } else if (kind === FLAG) this.flag(element);
    else this.text(element, composite, within, member);
  }

  /** A text element, as a JSON string. */
  private text(element: number, composite: number, within: number, member: number): void {
    const nameStart = this.at + 1;
    const { nameEnd } = this;
    this.textAttributes(member);
    this.put(0x22);
    const start = this.to;
    if (!this.endOfStartTag()) {
      if (this.content()) this.own.push(this.texts);
      this.endTag(nameStart, nameEnd);
    }
    const codes = codesOf[element];
    if (codes) this.checkCode(element, codes, start);
    if (element === DATE_FORMAT && hasOwnReading(this.output.toString("latin1", start, this.to)))
      throw unsure;
    if (isTapped[element] === 1) this.taps.tap(composite, within, element, start, this.to);
    this.put(0x22);
    this.texts++;
  }

  /** Most are the same as in the product before, and need not be looked for. */
  private checkCode(element: number, codes: ReadonlySet<number>, start: number): void {
    const code = pack(this.output, start, this.to);
    if (code === this.lastCodes[element]) return;
    if (!codes.has(code)) throw unsure;
    this.lastCodes[element] = code;
  }

  /** Attributes of a flag, and what stands in it, are left to the other way. */
  private flag(element: number): void {
    const nameStart = this.at + 1;
    const { nameEnd } = this;
    this.at = nameEnd;
    this.blanks();
    if (this.byte(this.at) === 0x2f && this.byte(this.at + 1) === 0x3e) this.at += 2;
    else if (this.byte(nameEnd) === 0x3e) {
      this.at = nameEnd + 1;
      this.endTag(nameStart, nameEnd);
    } else throw unsure;
    this.write(element === MAIN_SUBJECT ? TRUE : EMPTY);
  }

  /** The sender's, which the record does not have: only told of. */
  private sendersReference(sorted: Sorted | undefined): number {
    const { to } = this;
    this.text(REFERENCE, PRODUCT, NO_ELEMENT, 0);
    if (this.attributes.length > 0) throw unsure;
    this.to = to;
    this.endOfChild(REFERENCE);
    const next = this.next(sorted);
    if (next === REFERENCE) throw unsure;
    return next;
  }

  /** MainSubject comes first of its elements, sent or not. */
  private beginSubject(first: number): void {
    if (first === MAIN_SUBJECT) return;
    this.member(MAIN_SUBJECT);
    this.write(EMPTY);
  }

  private setFlags(element: number, place: number): void {
    const { denials } = this;
    if (element !== NO_ELEMENT) denials.see(element);
    for (let flag = denials.due(place); flag !== NO_ELEMENT; flag = denials.due(place)) {
      this.member(flag);
      this.write(EMPTY);
    }
  }

  /** Exceptions belong to the child of the product, with which a block update replaces them. */
  private endOfChild(child: number): void {
    if (this.own.length > 0) {
      this.exceptions[nameOf(child)] = this.own;
      this.own = [];
    }
    this.texts = 0;
  }

  private member(element: number): void {
    this.comma();
    this.write(keyOf[element]!);
  }

  private makeRoomAt(at: number, byte: number): void {
    this.output.copyWithin(at + 1, at, this.to);
    this.output[at] = byte;
    this.to++;
  }
}
