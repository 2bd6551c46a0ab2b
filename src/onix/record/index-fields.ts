/** The rules for the fields that a record is found by: imprint, languages of the text, publication date. */
import { type Day, firstDayOfDate, isSpecialDateFormat } from "../date.ts";
import type { BookFields } from "../fields/book-fields.ts";
import type { IndexFields } from "../scanned-product.ts";
import { allOf, composites, firstText } from "./field-access.ts";

/** LanguageRole (list 22), PublishingRole (list 45) and date role (list 163) that count. */
const LANGUAGE_OF_TEXT = "01";
const PUBLISHER = "01";
const PUBLICATION_DATE = "01";

/** Thousands of books share a date. */
const dayCache = new Map<string, Day | undefined>();
const MAX_CACHED_DAYS = 10_000;

function cachedFirstDay(date: string, format: string): Day | undefined {
  // No text of a feed has this character.
  const key = isSpecialDateFormat(format) ? `${date}\0${format}` : date;
  const cached = dayCache.get(key);
  if (cached !== undefined) return cached;
  const day = firstDayOfDate(date, format);
  if (dayCache.size >= MAX_CACHED_DAYS) dayCache.clear();
  dayCache.set(key, day);
  return day;
}

/** Collects the elements of a product that matter, in the order of the feed. */
export class IndexFieldCollector {
  private imprintName = "";
  private firstPublisher = "";
  private mainPublisher = "";
  private languages: string[] = [];
  private publishingDay: Day | undefined;
  private marketDay: Day | undefined;
  private firstUnreadableDate = "";

  /** An empty name does not count. */
  addImprint(name: string): void {
    this.imprintName ||= name;
  }

  addPublisher(role: string, name: string): void {
    this.firstPublisher ||= name;
    if (role === PUBLISHER) this.mainPublisher ||= name;
  }

  addLanguage(role: string, code: string): void {
    if (role !== LANGUAGE_OF_TEXT || code === "") return;
    const lowerCase = code.toLowerCase();
    if (!this.languages.includes(lowerCase)) this.languages.push(lowerCase);
  }

  addPublishingDate(role: string, date: string, format: string): void {
    if (role === PUBLICATION_DATE) this.publishingDay ??= this.dayOf(date, format);
  }

  /** The earliest one counts. */
  addMarketDate(role: string, date: string, format: string): void {
    const day = role === PUBLICATION_DATE ? this.dayOf(date, format) : undefined;
    if (day !== undefined && (this.marketDay === undefined || day < this.marketDay)) this.marketDay = day;
  }

  /** The text of a publication date that is not a date. Empty when another one gives the day. */
  get unreadableDate(): string {
    return this.publishingDay === undefined && this.marketDay === undefined ? this.firstUnreadableDate : "";
  }

  /** Returns the fields, and begins again with the next product. */
  take(): IndexFields {
    const { languages, publishingDay, marketDay } = this;
    const imprint = this.imprintName || this.mainPublisher || this.firstPublisher || undefined;
    this.imprintName = "";
    this.firstPublisher = "";
    this.mainPublisher = "";
    this.languages = [];
    this.publishingDay = undefined;
    this.marketDay = undefined;
    this.firstUnreadableDate = "";
    return { imprint, languages, publishingDay, marketDay };
  }

  private dayOf(date: string, format: string): Day | undefined {
    const day = cachedFirstDay(date, format);
    if (day === undefined) this.firstUnreadableDate ||= date;
    return day;
  }
}

/** Returns the fields that a record is found by. An import has them from its reader, which follows the same rules. */
export function indexFieldsOf(record: BookFields): IndexFields {
  const collector = new IndexFieldCollector();
  for (const { Language } of allOf(record, "DescriptiveDetail")) {
    for (const { LanguageRole, LanguageCode } of composites(Language)) {
      collector.addLanguage(firstText(LanguageRole), firstText(LanguageCode));
    }
  }
  for (const { Imprint, Publisher, PublishingDate } of allOf(record, "PublishingDetail")) {
    for (const { ImprintName } of composites(Imprint)) collector.addImprint(firstText(ImprintName));
    for (const { PublishingRole, PublisherName } of composites(Publisher)) {
      collector.addPublisher(firstText(PublishingRole), firstText(PublisherName));
    }
    for (const date of composites(PublishingDate)) {
      collector.addPublishingDate(firstText(date.PublishingDateRole), firstText(date.Date), dateFormat(date));
    }
  }
  for (const supply of composites(record.ProductSupply)) {
    for (const { MarketDate } of allOf(supply, "MarketPublishingDetail")) {
      for (const date of composites(MarketDate)) {
        collector.addMarketDate(firstText(date.MarketDateRole), firstText(date.Date), dateFormat(date));
      }
    }
  }
  return collector.take();
}

function dateFormat(date: BookFields): string {
  return firstText(date["Date@dateformat"]) || firstText(date.DateFormat);
}
