/**
 * Collects what a record is indexed by while its product is scanned: ISBN, imprint, languages, publication day.
 * Follows the rules of `identifiers.ts` and `catalog/entry.ts`.
 */
import { type Day, firstDayOfDate } from "../date.ts";
import { hasValidCheckDigit, type Isbn13, isBookIsbn, parseIsbn, toIsbn10 } from "../isbn.ts";
import { FULL_RECORD_NOTIFICATIONS } from "../record.ts";
import type { TextObserver } from "./composite-scanner.ts";
import { bytes, elementNumber } from "./scan-tables.ts";

const [REFERENCE, NOTIFICATION, IDENTIFIER, ID_TYPE, ID_VALUE] = elementNumbers(
  "RecordReference NotificationType ProductIdentifier ProductIDType IDValue",
);
const [IMPRINT, IMPRINT_NAME, PUBLISHER, PUBLISHING_ROLE, PUBLISHER_NAME] = elementNumbers(
  "Imprint ImprintName Publisher PublishingRole PublisherName",
);
const [LANGUAGE, LANGUAGE_ROLE, LANGUAGE_CODE] = elementNumbers("Language LanguageRole LanguageCode");
const [PUBLISHING_DATE, PUBLISHING_DATE_ROLE, MARKET_DATE, MARKET_DATE_ROLE, DATE] = elementNumbers(
  "PublishingDate PublishingDateRole MarketDate MarketDateRole Date",
);
const [PRODUCT, DESCRIPTIVE_DETAIL, PUBLISHING_DETAIL, MARKET_PUBLISHING_DETAIL] = elementNumbers(
  "Product DescriptiveDetail PublishingDetail MarketPublishingDetail",
);

/** ProductIDType of the identifiers that are added when they are missing, in this order. */
const COMPLETED_TYPES = ["15", "03", "02"];

const NO_BYTES = bytes("");
/** Strings of two characters by their bytes. Most codes have two characters, so each is created only once. */
const twoCharacterStrings: string[] = [];

export class IndexFields implements TextObserver {
  reference = "";
  languages: string[] = [];
  /** The output of the scanner. Observed offsets refer to it. */
  output: Buffer = Buffer.alloc(0);
  private notification = "";
  private idType = "";
  /** The first ISBN-13, GTIN-13 and ISBN-10. */
  private isbn13: Isbn13 | undefined;
  private gtin13: string | undefined;
  private isbn10: Isbn13 | undefined;
  private readonly idTypes: string[] = [];
  /** How many identifiers of type ISBN-13 have no value. */
  private emptyIsbn13s = 0;
  /** An identifier needs a correction or a remark, which only the full reader makes. */
  private hasUnusualIdentifier = false;
  private imprintName = "";
  private publishingRole = "";
  private firstPublisher = "";
  /** The first publisher of role 01. */
  private mainPublisher = "";
  private languageRole = "";
  private dateRole = "";
  private publishingDay: Day | undefined;
  private marketDay: Day | undefined;
  private hasUnreadableDate = false;

  reset(): void {
    this.reference = "";
    this.notification = "";
    this.isbn13 = undefined;
    this.gtin13 = undefined;
    this.isbn10 = undefined;
    this.idTypes.length = 0;
    this.emptyIsbn13s = 0;
    this.hasUnusualIdentifier = false;
    this.imprintName = "";
    this.firstPublisher = "";
    this.mainPublisher = "";
    this.languages = [];
    this.publishingDay = undefined;
    this.marketDay = undefined;
    this.hasUnreadableDate = false;
  }

  observe(composite: number, parent: number, element: number, start: number, end: number): void {
    if (element < 0) {
      this.idType = "";
      this.publishingRole = "";
      this.languageRole = "";
      this.dateRole = "";
    } else if (composite === PRODUCT) {
      if (element === REFERENCE) this.reference = this.text(start, end);
      else if (element === NOTIFICATION) this.notification = this.text(start, end);
    } else if (composite === IDENTIFIER) {
      if (parent === PRODUCT) this.observeIdentifier(element, start, end);
    } else if (composite === IMPRINT) {
      if (element === IMPRINT_NAME) this.imprintName ||= this.text(start, end);
    } else if (composite === PUBLISHER) {
      if (parent === PUBLISHING_DETAIL) this.observePublisher(element, start, end);
    } else if (composite === LANGUAGE) {
      if (parent === DESCRIPTIVE_DETAIL) this.observeLanguage(element, start, end);
    } else if (composite === PUBLISHING_DATE) {
      if (parent === PUBLISHING_DETAIL) this.observeDate(element, PUBLISHING_DATE_ROLE!, start, end, false);
    } else if (composite === MARKET_DATE) {
      if (parent === MARKET_PUBLISHING_DETAIL) this.observeDate(element, MARKET_DATE_ROLE!, start, end, true);
    }
  }

  /** Is undefined when the product needs a remark, a correction or a closer look: then the full reader reads it. */
  get isbn(): Isbn13 | undefined {
    const isComplete = this.reference !== "" && FULL_RECORD_NOTIFICATIONS.has(this.notification);
    const hasUsualIdentifiers = !this.hasUnusualIdentifier && this.emptyIsbn13s === 0;
    const hasUsualDate = this.published !== undefined || !this.hasUnreadableDate;
    return isComplete && hasUsualIdentifiers && hasUsualDate ? this.identifiedIsbn : undefined;
  }

  /** Follows `findIsbn`. Is undefined in cases that need a remark. */
  private get identifiedIsbn(): Isbn13 | undefined {
    if (this.isbn13 !== undefined || this.gtin13 === undefined) return this.isbn13 ?? this.isbn10;
    const gtin = parseIsbn(this.gtin13);
    if (gtin === undefined) return undefined;
    if (!isBookIsbn(gtin)) return this.isbn10;
    return hasValidCheckDigit(gtin) ? gtin : undefined;
  }

  /** Follows `missingIdentifiers` of `identifiers.ts`. The JSON has a comma before each identifier. */
  get missingIdentifiers(): { readonly json: Uint8Array; readonly count: number } {
    const isbn = this.identifiedIsbn;
    if (!isbn) return { json: NO_BYTES, count: 0 };
    let json = "";
    let count = 0;
    for (const type of COMPLETED_TYPES) {
      if (this.idTypes.includes(type)) continue;
      const value = type === "02" ? toIsbn10(isbn) : isbn;
      if (value === undefined) continue;
      json += `,{"ProductIDType":"${type}","IDValue":"${value}"}`;
      count++;
    }
    return { json: bytes(json), count };
  }

  get imprint(): string | undefined {
    return this.imprintName || this.mainPublisher || this.firstPublisher || undefined;
  }

  get published(): Day | undefined {
    return this.publishingDay ?? this.marketDay;
  }

  private observeIdentifier(element: number, start: number, end: number): void {
    if (element === ID_TYPE) {
      this.idType = this.text(start, end);
      this.idTypes.push(this.idType);
      if (this.idType === "15") this.emptyIsbn13s++;
    } else if (element === ID_VALUE) {
      const { idType } = this;
      if (idType !== "15" && idType !== "03" && idType !== "02") return;
      const value = this.text(start, end);
      if (idType === "15") {
        const isbn = value.length === 13 ? parseIsbn(value) : undefined;
        if (!isbn || !isBookIsbn(isbn) || !hasValidCheckDigit(isbn)) this.hasUnusualIdentifier = true;
        this.isbn13 ??= isbn;
        this.emptyIsbn13s--;
      } else if (idType === "03") {
        if (!/^[0-9]{13}$/.test(value)) this.hasUnusualIdentifier = true;
        this.gtin13 ??= value;
      } else {
        const isbn = value.length === 10 ? parseIsbn(value) : undefined;
        if (!isbn || value.endsWith("x")) this.hasUnusualIdentifier = true;
        this.isbn10 ??= isbn;
      }
    }
  }

  private observePublisher(element: number, start: number, end: number): void {
    // The imprint comes first, and takes precedence.
    if (this.imprintName !== "") return;
    if (element === PUBLISHING_ROLE) this.publishingRole = this.text(start, end);
    else if (element === PUBLISHER_NAME) {
      const name = this.text(start, end);
      this.firstPublisher ||= name;
      if (this.publishingRole === "01") this.mainPublisher ||= name;
    }
  }

  private observeLanguage(element: number, start: number, end: number): void {
    if (element === LANGUAGE_ROLE) this.languageRole = this.text(start, end);
    else if (element === LANGUAGE_CODE && this.languageRole === "01") {
      const code = this.text(start, end).toLowerCase();
      if (code !== "" && !this.languages.includes(code)) this.languages.push(code);
    }
  }

  private observeDate(element: number, role: number, start: number, end: number, isMarket: boolean): void {
    if (element === role) this.dateRole = this.text(start, end);
    else if (element === DATE && this.dateRole === "01") {
      const day = firstDayOfDate(this.text(start, end));
      if (day === undefined) this.hasUnreadableDate = true;
      else if (!isMarket) this.publishingDay ??= day;
      else if (this.marketDay === undefined || day < this.marketDay) this.marketDay = day;
    }
  }

  /** Decodes a JSON string of the output. Few contain escapes or other characters than ASCII. */
  private text(start: number, end: number): string {
    const { output } = this;
    for (let offset = start; offset < end; offset++) {
      const byte = output[offset]!;
      if (byte > 127 || byte === 0x5c) return JSON.parse(`"${output.toString("utf8", start, end)}"`);
    }
    if (end - start !== 2) return output.toString("latin1", start, end);
    const pair = (output[start]! << 7) | output[start + 1]!;
    twoCharacterStrings[pair] ??= String.fromCharCode(output[start]!, output[start + 1]!);
    return twoCharacterStrings[pair];
  }
}

function elementNumbers(names: string): number[] {
  return names.split(" ").map(elementNumber);
}
