/** What a record is found by, gathered while its product is scanned: as `identity.ts` and `catalog/entry.ts` would. */
import { type Day, dayOfDate } from "../day.ts";
import { hasRightCheckDigit, type Isbn13, isBookland, parseIsbn, toIsbn10 } from "../isbn.ts";
import { bytes, numberOf } from "./tables.ts";

const [REFERENCE, NOTIFICATION, IDENTIFIER, ID_TYPE, ID_VALUE] = numbers(
  "RecordReference NotificationType ProductIdentifier ProductIDType IDValue",
);
const [IMPRINT, IMPRINT_NAME, PUBLISHER, ROLE, PUBLISHER_NAME] = numbers(
  "Imprint ImprintName Publisher PublishingRole PublisherName",
);
const [LANGUAGE, LANGUAGE_ROLE, LANGUAGE_CODE] = numbers("Language LanguageRole LanguageCode");
const [PUBLISHING_DATE, PUBLISHING_DATE_ROLE, MARKET_DATE, MARKET_DATE_ROLE, DATE] = numbers(
  "PublishingDate PublishingDateRole MarketDate MarketDateRole Date",
);
const [PRODUCT, DESCRIPTIVE, PUBLISHING, MARKET] = numbers(
  "Product DescriptiveDetail PublishingDetail MarketPublishingDetail",
);

/** Those of list 1 under which a product is whole without looking at it. */
const WHOLE: ReadonlySet<string> = new Set(["01", "02", "03", "08", "09"]);

/** Identifiers that are completed, in this order. */
const COMPLETED = ["15", "03", "02"];

export class Columns {
  reference = "";
  private notification = "";
  private idType = "";
  /** The first ISBN-13, GTIN-13 and ISBN-10, as far as they can name the book. */
  private isbn: Isbn13 | undefined;
  private gtin: string | undefined;
  private isbn10: Isbn13 | undefined;
  private readonly types: string[] = [];
  /** Identifiers that call themselves ISBN-13, less those of them that have a value. */
  private withoutValue = 0;
  private isOdd = false;
  private imprintName = "";
  private role = "";
  private publisher = "";
  private properPublisher = "";
  private languageRole = "";
  languages: string[] = [];
  private dateRole = "";
  private day: Day | undefined;
  private marketDay: Day | undefined;
  private hasBadDate = false;

  /** What is told of is a place in this. */
  output: Buffer = Buffer.alloc(0);

  clear(): void {
    this.reference = "";
    this.notification = "";
    this.isbn = undefined;
    this.gtin = undefined;
    this.isbn10 = undefined;
    this.types.length = 0;
    this.withoutValue = 0;
    this.isOdd = false;
    this.imprintName = "";
    this.publisher = "";
    this.properPublisher = "";
    this.languages = [];
    this.day = undefined;
    this.marketDay = undefined;
    this.hasBadDate = false;
  }

  tap(composite: number, within: number, element: number, start: number, end: number): void {
    if (element < 0) {
      this.idType = "";
      this.role = "";
      this.languageRole = "";
      this.dateRole = "";
    } else if (composite === PRODUCT) {
      if (element === REFERENCE) this.reference = this.string(start, end);
      else if (element === NOTIFICATION) this.notification = this.string(start, end);
    } else if (composite === IDENTIFIER) {
      if (within === PRODUCT) this.identifier(element, start, end);
    } else if (composite === IMPRINT) {
      if (element === IMPRINT_NAME) this.imprintName ||= this.string(start, end);
    } else if (composite === PUBLISHER) {
      if (within === PUBLISHING) this.publisherPart(element, start, end);
    } else if (composite === LANGUAGE) {
      if (within === DESCRIPTIVE) this.languagePart(element, start, end);
    } else if (composite === PUBLISHING_DATE) {
      if (within === PUBLISHING) this.date(element, PUBLISHING_DATE_ROLE!, start, end, false);
    } else if (composite === MARKET_DATE) {
      if (within === MARKET) this.date(element, MARKET_DATE_ROLE!, start, end, true);
    }
  }

  /** The book, when everything about it is as it should be: nothing to remark, to mend or to look for elsewhere. */
  get book(): Isbn13 | undefined {
    const isFine =
      !this.isOdd && this.withoutValue === 0 && this.reference !== "" && WHOLE.has(this.notification);
    const hasDate = this.published !== undefined || !this.hasBadDate;
    return isFine && hasDate ? this.identified : undefined;
  }

  /** As `bookOf`; what would need a remark, or a second thought, is none. */
  private get identified(): Isbn13 | undefined {
    if (this.isbn !== undefined || this.gtin === undefined) return this.isbn ?? this.isbn10;
    const gtin = parseIsbn(this.gtin);
    if (gtin === undefined) return undefined;
    if (!isBookland(gtin)) return this.isbn10;
    return hasRightCheckDigit(gtin) ? gtin : undefined;
  }

  /** Identifiers that the product lacks, to be appended; and how many. */
  get missing(): { readonly json: Uint8Array; readonly count: number } {
    const isbn = this.identified;
    if (!isbn) return { json: NONE, count: 0 };
    let json = "";
    let count = 0;
    for (const type of COMPLETED) {
      if (this.types.includes(type)) continue;
      const value = type === "02" ? toIsbn10(isbn) : isbn;
      if (value === undefined) continue;
      json += `,{"ProductIDType":"${type}","IDValue":"${value}"}`;
      count++;
    }
    return { json: bytes(json), count };
  }

  get imprint(): string | undefined {
    return this.imprintName || this.properPublisher || this.publisher || undefined;
  }

  get published(): Day | undefined {
    return this.day ?? this.marketDay;
  }

  private identifier(element: number, start: number, end: number): void {
    if (element === ID_TYPE) {
      this.idType = this.string(start, end);
      this.types.push(this.idType);
      if (this.idType === "15") this.withoutValue++;
    } else if (element === ID_VALUE) {
      const { idType } = this;
      if (idType !== "15" && idType !== "03" && idType !== "02") return;
      const value = this.string(start, end);
      if (idType === "15") {
        const isbn = value.length === 13 ? parseIsbn(value) : undefined;
        if (!isbn || !isBookland(isbn) || !hasRightCheckDigit(isbn)) this.isOdd = true;
        this.isbn ??= isbn;
        this.withoutValue--;
      } else if (idType === "03") {
        if (!/^[0-9]{13}$/.test(value)) this.isOdd = true;
        this.gtin ??= value;
      } else {
        const isbn10 = value.length === 10 ? parseIsbn(value) : undefined;
        if (!isbn10 || value.endsWith("x")) this.isOdd = true;
        this.isbn10 ??= isbn10;
      }
    }
  }

  private publisherPart(element: number, start: number, end: number): void {
    // The imprint comes before, and is what is asked for.
    if (this.imprintName !== "") return;
    if (element === ROLE) this.role = this.string(start, end);
    else if (element === PUBLISHER_NAME) {
      const name = this.string(start, end);
      this.publisher ||= name;
      if (this.role === "01") this.properPublisher ||= name;
    }
  }

  private languagePart(element: number, start: number, end: number): void {
    if (element === LANGUAGE_ROLE) this.languageRole = this.string(start, end);
    else if (element === LANGUAGE_CODE && this.languageRole === "01") {
      const code = this.string(start, end).toLowerCase();
      if (code !== "" && !this.languages.includes(code)) this.languages.push(code);
    }
  }

  private date(element: number, role: number, start: number, end: number, isMarket: boolean): void {
    if (element === role) this.dateRole = this.string(start, end);
    else if (element === DATE && this.dateRole === "01") {
      const day = dayOfDate(this.string(start, end));
      if (day === undefined) this.hasBadDate = true;
      else if (!isMarket) this.day ??= day;
      else if (this.marketDay === undefined || day < this.marketDay) this.marketDay = day;
    }
  }

  /** From JSON, where hardly ever anything is escaped. */
  private string(start: number, end: number): string {
    const { output } = this;
    for (let at = start; at < end; at++) {
      const byte = output[at]!;
      if (byte > 127 || byte === 0x5c) return JSON.parse(`"${output.toString("utf8", start, end)}"`);
    }
    if (end - start !== 2) return output.toString("latin1", start, end);
    const pair = (output[start]! << 7) | output[start + 1]!;
    pairs[pair] ??= String.fromCharCode(output[start]!, output[start + 1]!);
    return pairs[pair];
  }
}

const NONE = bytes("");
/** Codes of two characters, which most are, are made once. */
const pairs: string[] = [];

function numbers(names: string): number[] {
  return names.split(" ").map(numberOf);
}
