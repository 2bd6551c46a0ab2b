/** The rows on generated feeds. Each feed is the tidy one in another form. */
import { elementByTag } from "../../src/onix/element-table.ts";
import { writeFeed } from "./feed.ts";
import { type FeedVariant, UTF_16, WINDOWS_1252 } from "./feed-file.ts";

/** A feed whose import is compared with `xmllint --stream --noout` on the same file. */
export interface ImportRow {
  /** Selects the row on the command line. */
  readonly id: string;
  readonly name: string;
  /** The time of xmllint divided by the time of the import has to reach this. */
  readonly goal: number;
  /** Imports onto a catalog that has all products of the tidy feed, instead of a new one. */
  readonly isOntoCatalog?: boolean;
  /** Returns the number of products in the file. */
  readonly writeFeed: (path: string, products: number) => Promise<number>;
}

/** The goal of feeds that need another decoder before they are UTF-8. xmllint needs the same. */
const DECODED_GOAL = 0.7;

export const GENERATED_ROWS: readonly ImportRow[] = [
  row("tidy", "tidy", 1.3, {}),
  row("complaint", "one complaint per product", 1, { transform: withUnknownCode }),
  row("update-whole", "all 04, whole, into a new catalog", 1, { transform: asUpdate }),
  onto(row("update-whole-onto", "all 04, whole, onto a catalog that has them", 1, { transform: asUpdate })),
  onto(
    row("update-supply", "all 04, supply only, onto a catalog that has them", 1, { transform: supplyOnly }),
  ),
  onto(row("deletion", "all 05, onto a catalog that has them", 1, { transform: asDeletion })),
  row("short", "short tags", 1, { transform: withShortTags }),
  row("prefix", "a namespace prefix", 1, { transform: withPrefix }),
  row("windows-1252", "windows-1252", DECODED_GOAL, { encoding: WINDOWS_1252 }),
  row("utf-16", "UTF-16", DECODED_GOAL, { encoding: UTF_16 }),
  row("gzip", "gzip (xmllint unpacks it too)", DECODED_GOAL, { isCompressed: true }),
];

function row(id: string, name: string, goal: number, variant: FeedVariant): ImportRow {
  return {
    id,
    name,
    goal,
    async writeFeed(path, products) {
      await writeFeed(path, products, variant);
      return products;
    },
  };
}

function onto(newCatalog: ImportRow): ImportRow {
  return { ...newCatalog, isOntoCatalog: true };
}

/** List 64 has no code 77. */
function withUnknownCode(xml: string): string {
  return xml.replace("<PublishingStatus>04<", "<PublishingStatus>77<");
}

/** Also changes the price, because an unchanged record is not written. */
function asUpdate(xml: string): string {
  return xml
    .replace("<NotificationType>03<", "<NotificationType>04<")
    .replace("<PriceAmount>", "<PriceAmount>1");
}

function supplyOnly(xml: string): string {
  return asUpdate(xml).replace(/ {4}<DescriptiveDetail>.*<\/PublishingDetail>\n/s, "");
}

function asDeletion(xml: string): string {
  return xml
    .replace("<NotificationType>03<", "<NotificationType>05<")
    .replace(/ {4}<DescriptiveDetail>.*<\/ProductSupply>\n/s, "");
}

/** Replaces the names of ONIX elements, which begin with a capital, unlike those of XHTML. */
function withShortTags(xml: string): string {
  return xml
    .replace(/(?<=<\/?)[A-Z]\w*/g, (name) => elementByTag(name)!.short)
    .replace("/onix/3.0/reference", "/onix/3.0/short");
}

function withPrefix(xml: string): string {
  return xml.replace(/(?<=<\/?)(?=[A-Z])/g, "onix:").replace(" xmlns=", " xmlns:onix=");
}
