/** The feeds whose import is measured: the generated one in many forms, and the products of real senders. */
import { slugOf } from "../../src/catalog/imprint.ts";
import { elementByTag } from "../../src/onix/element-table.ts";
import { type FeedOptions, UTF_16, WINDOWS_1252, writeFeed } from "../feed.ts";
import { readSenders, writeRepeated } from "../samples.ts";

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

const GENERATED_ROWS: readonly ImportRow[] = [
  row("tidy", "tidy", 1.3, {}),
  row("complaint", "one complaint per product", 1, { form: { transform: withUnknownCode } }),
  row("update-whole", "all 04, whole, into a new catalog", 1, { kind: "update" }),
  onto("update-whole-onto", "all 04, whole, onto a catalog that has them", { kind: "update" }),
  onto("update-supply", "all 04, supply only, onto a catalog that has them", { kind: "supply" }),
  onto("deletion", "all 05, onto a catalog that has them", { kind: "deletion" }),
  row("short", "short tags", 1, { form: { transform: withShortTags } }),
  row("prefix", "a namespace prefix", 1, { form: { transform: withPrefix } }),
  row("windows-1252", "windows-1252", DECODED_GOAL, { form: { encoding: WINDOWS_1252 } }),
  row("utf-16", "UTF-16", DECODED_GOAL, { form: { encoding: UTF_16 } }),
  row("gzip", "gzip (xmllint unpacks it too)", DECODED_GOAL, { form: { isCompressed: true } }),
];

/** Returns all rows. Those of senders have feeds of the given size. */
export function importRows(sampleMegabytes: number): readonly ImportRow[] {
  return [...GENERATED_ROWS, ...sampleRows(sampleMegabytes)];
}

function sampleRows(megabytes: number): readonly ImportRow[] {
  const ids = new Map<string, number>();
  return readSenders().map((sample) => {
    const slug = `sample-${slugOf(sample.sender)}`;
    const count = (ids.get(slug) ?? 0) + 1;
    ids.set(slug, count);
    return {
      id: count === 1 ? slug : `${slug}-${count}`,
      name: `products of ${sample.sender}${count === 1 ? "" : ` (${count})`}`,
      goal: 1,
      writeFeed: (path) => writeRepeated(path, sample, megabytes),
    };
  });
}

type Variant = Omit<FeedOptions, "products">;

function row(id: string, name: string, goal: number, variant: Variant): ImportRow {
  return { id, name, goal, writeFeed: (path, products) => writeFeed(path, { products, ...variant }) };
}

function onto(id: string, name: string, variant: Variant): ImportRow {
  return { ...row(id, name, 1, variant), isOntoCatalog: true };
}

/** List 64 has no code 77. */
function withUnknownCode(xml: string): string {
  return xml.replace("<PublishingStatus>04<", "<PublishingStatus>77<");
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
