/** Finds the index fields of a record that is JSON. */
import type { BookFields } from "../fields/book-fields.ts";
import type { IndexFields } from "../scanned-product.ts";
import { allOf, composites, firstText } from "./field-access.ts";
import { IndexFieldCollector } from "./index-fields.ts";

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
