/** A product of a sample, whose ISBN and reference can be replaced. */
import { type Isbn13, toIsbn10 } from "../../src/onix/isbn.ts";

/** The tags of the blocks, in lower case, which is also their short form. Identifiers of other products are in them. */
const FIRST_BLOCK =
  /<(?:\w+:)?(?:descriptivedetail|collateraldetail|promotiondetail|contentdetail|publishingdetail|relatedmaterial|productiondetail|productsupply)\b/i;
const IDENTIFIER = /<(?:\w+:)?(?:ProductIdentifier|productidentifier)\b.*?<\/(?:\w+:)?productidentifier>/gis;
const ID_TYPE = /<(?:\w+:)?(?:ProductIDType|b221)\b[^>]*>\s*(\d+)/;
const ID_VALUE = /<(?:\w+:)?(?:IDValue|b244)\b[^>]*>\s*([^<]*?)\s*</;
const NOTIFICATION = /(?<=<(?:\w+:)?(?:NotificationType|a002)\b[^>]*>)\s*0[45]\s*(?=<)/;
const DELETION_TEXT = /<(?:\w+:)?(?:DeletionText|a199)\b.*?<\/(?:\w+:)?(?:DeletionText|a199)>/gs;
/** The blocks of a whole record. */
const REQUIRED_BLOCKS = ["descriptivedetail", "publishingdetail", "productsupply"];
const REFERENCE = /(?<=<(?:\w+:)?(?:RecordReference|a001)\b[^>]*>)[^<]*/;

/** ONIX list 5. */
const GTIN_13 = "03";
const ISBN_10 = "02";
const ISBN_13 = "15";

export class SampleProduct {
  private constructor(
    private readonly xml: string,
    /** The identifiers as they are written, hyphens included, and their types. */
    private readonly identifiers: ReadonlyMap<string, string>,
  ) {}

  /**
   * Returns undefined for a product that a new catalog would reject: without an ISBN, or an update without the blocks of
   * a whole record. A deletion becomes an update, because there is nothing to delete.
   */
  static parse(sent: string): SampleProduct | undefined {
    const xml = sent.replace(DELETION_TEXT, "").replace(NOTIFICATION, "04");
    if (
      NOTIFICATION.test(xml) &&
      !REQUIRED_BLOCKS.every((tag) => new RegExp(`[<:]${tag}\\b`, "i").test(xml))
    ) {
      return undefined;
    }
    const head = xml.slice(0, FIRST_BLOCK.exec(xml)?.index ?? xml.length);
    const identifiers = new Map<string, string>();
    for (const [identifier] of head.matchAll(IDENTIFIER)) {
      const type = ID_TYPE.exec(identifier)?.[1];
      const value = ID_VALUE.exec(identifier)?.[1];
      if (value && isBookIdentifier(type, value.replace(/[- ]/g, ""))) identifiers.set(value, type!);
    }
    return identifiers.size > 0 ? new SampleProduct(xml, identifiers) : undefined;
  }

  /** Replaces the ISBN wherever it stands, and makes the reference unique. */
  withIsbn(isbn: string, number: number): string {
    let xml = this.xml.replace(REFERENCE, (reference) => `${reference.trim()}.${number}`);
    for (const [value, type] of this.identifiers) {
      const digits = type === ISBN_10 ? toIsbn10(isbn as Isbn13)! : isbn;
      xml = xml.replaceAll(value, withDigits(value, digits));
    }
    return xml;
  }
}

function isBookIdentifier(type: string | undefined, digits: string): boolean {
  if (type === ISBN_10) return /^\d{9}[\dXx]$/.test(digits);
  return type === ISBN_13 ? /^\d{13}$/.test(digits) : type === GTIN_13 && /^97[89]\d{10}$/.test(digits);
}

/** Writes other digits in the form of an identifier, with its hyphens. */
function withDigits(value: string, digits: string): string {
  let index = 0;
  return value.replace(/[0-9Xx]/g, () => digits[index++]!);
}
