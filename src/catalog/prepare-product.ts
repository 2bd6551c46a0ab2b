/** Decides what a product of a feed does to the catalog, as far as that is possible without reading the catalog. */
import type { OnixElement } from "../onix/element.ts";
import type { ScannedProduct } from "../onix/fast/batch-scanner.ts";
import { isScannedProduct } from "../onix/fast/fast-reader.ts";
import { explainMissingIsbn } from "../onix/identifiers.ts";
import type { Isbn13 } from "../onix/isbn.ts";
import type { OnixRelease } from "../onix/message-version.ts";
import {
  type BookRecord,
  buildRecord,
  FULL_RECORD_NOTIFICATIONS,
  hasRequiredBlocks,
  type Origin,
  type Product,
  productIdentifiers,
  readProduct,
} from "../onix/record.ts";
import { createEntry, etagOf, unreadableDate } from "./entry.ts";
import { imprintFromName } from "./imprint.ts";
import type { ComplaintKind } from "./report.ts";
import type { Entry, Imprint } from "./store.ts";

export type PreparedProduct = FullRecord | BlockUpdate | Deletion | Rejection | TestRecord;

/** Identifies a product, and locates it in the feed. */
export interface ProductLocation {
  readonly reference: string;
  readonly isbn: Isbn13 | undefined;
  readonly line: number;
  readonly column: number;
}

/** A complaint about a product that is imported nevertheless. */
export interface Warning {
  readonly kind: ComplaintKind;
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** Adds or replaces a record. */
export interface FullRecord {
  readonly kind: "full-record";
  readonly entry: Entry;
  readonly line: number;
  readonly column: number;
  readonly warnings: readonly Warning[];
}

/** Replaces some blocks of a record. */
export interface BlockUpdate {
  readonly kind: "block-update";
  readonly product: Product;
}

export interface Deletion {
  readonly kind: "deletion";
  readonly location: ProductLocation;
}

/** A product that cannot be imported. */
export interface Rejection {
  readonly kind: "rejection";
  readonly location: ProductLocation;
  /** The reason, in one sentence. */
  readonly text: string;
}

/** A product that is counted, but not stored. */
export interface TestRecord {
  readonly kind: "test-record";
}

/** NotificationType, ONIX list 1. */
const BLOCK_UPDATE = "04";
const DELETION = "05";
const TEST_RECORD: ReadonlySet<string> = new Set(["88", "89"]);

const NO_WARNINGS: readonly Warning[] = [];

/** The fast reader returns full records only, already scanned; every other product is an element. */
export function prepareProduct(input: ScannedProduct): FullRecord;
export function prepareProduct(input: OnixElement | ScannedProduct, release: OnixRelease): PreparedProduct;
export function prepareProduct(
  input: OnixElement | ScannedProduct,
  release: OnixRelease = "3.0",
): PreparedProduct {
  if (isScannedProduct(input)) return prepareScanned(input);
  const product = readProduct(input, release);
  const { reference, notification, isbn, line, column } = product;
  const location = { reference, isbn, line, column };
  if (TEST_RECORD.has(notification)) return { kind: "test-record" };
  if (notification === DELETION || "DeletionText" in product.fields) return { kind: "deletion", location };
  if (notification === BLOCK_UPDATE && !hasRequiredBlocks(product)) return { kind: "block-update", product };
  if (isbn === undefined) {
    return { kind: "rejection", location, text: explainMissingIsbn(productIdentifiers(product.fields)) };
  }
  const { record, origin } = buildRecord(product, isbn);
  const { entry, warnings } = createEntryWithWarnings(record, reference, origin, product);
  return {
    kind: "full-record",
    entry,
    line,
    column,
    warnings: [...warnings, ...notificationWarnings(product)],
  };
}

/** Creates the entry of a record, and the warnings about the product that it comes from. */
export function createEntryWithWarnings(
  record: BookRecord,
  reference: string,
  origin: Origin,
  { remarks, line, column }: Product,
): { entry: Entry; warnings: readonly Warning[] } {
  const date = unreadableDate(record);
  const text = `The publication date "${date}" is not a date.`;
  const warnings =
    date === undefined ? remarks : [...remarks, { kind: "bad-date", text, line, column } as const];
  return { entry: createEntry(record, reference, origin), warnings };
}

function notificationWarnings({ notification, line, column }: Product): readonly Warning[] {
  if (notification === "") {
    return [{ kind: "no-notification", text: "The product has no NotificationType.", line, column }];
  }
  if (FULL_RECORD_NOTIFICATIONS.has(notification) || notification === BLOCK_UPDATE) return NO_WARNINGS;
  const text = `NotificationType ${notification} is not in list 1.`;
  return [{ kind: "unknown-notification", text, line, column }];
}

function prepareScanned(scanned: ScannedProduct): FullRecord {
  const { isbn, body, reference, imprint: name, languages, published, origin, line, column } = scanned;
  const imprint = name === undefined ? undefined : cachedImprint(name);
  const entry = { isbn, body, etag: etagOf(body), reference, imprint, languages, published, origin };
  return { kind: "full-record", entry, line, column, warnings: NO_WARNINGS };
}

/** Thousands of books share an imprint, and a slug is slow to compute. */
const imprintCache = new Map<string, Imprint | undefined>();
const MAX_CACHED_IMPRINTS = 10_000;

function cachedImprint(name: string): Imprint | undefined {
  if (!imprintCache.has(name)) {
    if (imprintCache.size >= MAX_CACHED_IMPRINTS) imprintCache.clear();
    imprintCache.set(name, imprintFromName(name));
  }
  return imprintCache.get(name);
}
