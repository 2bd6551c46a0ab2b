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
import type { Remark } from "../onix/remark.ts";
import { createEntry, entryFromFields, unreadableDate } from "./entry.ts";
import type { Entry } from "./store.ts";

export type PreparedProduct = FullRecord | BlockUpdate | Deletion | Rejection | TestRecord;

/** Identifies a product, and locates it in the feed. */
export interface ProductLocation {
  readonly reference: string;
  readonly isbn: Isbn13 | undefined;
  readonly line: number;
  readonly column: number;
}

/** Adds or replaces a record. */
export interface FullRecord {
  readonly kind: "full-record";
  readonly entry: Entry;
  readonly line: number;
  readonly column: number;
  readonly remarks: readonly Remark[];
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

const NO_REMARKS: readonly Remark[] = [];

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
  const { entry, remarks } = createEntryWithRemarks(record, reference, origin, product);
  return {
    kind: "full-record",
    entry,
    line,
    column,
    remarks: [...remarks, ...notificationRemarks(product)],
  };
}

/** Creates the entry of a record, with the remarks about the product that it comes from. */
export function createEntryWithRemarks(
  record: BookRecord,
  reference: string,
  origin: Origin,
  { remarks, line, column }: Product,
): { entry: Entry; remarks: readonly Remark[] } {
  const date = unreadableDate(record);
  const text = `The publication date "${date}" is not a date.`;
  const allRemarks =
    date === undefined ? remarks : [...remarks, { kind: "bad-date", text, line, column } as const];
  return { entry: createEntry(record, reference, origin), remarks: allRemarks };
}

function notificationRemarks({ notification, line, column }: Product): readonly Remark[] {
  if (notification === "") {
    return [{ kind: "no-notification", text: "The product has no NotificationType.", line, column }];
  }
  if (FULL_RECORD_NOTIFICATIONS.has(notification) || notification === BLOCK_UPDATE) return NO_REMARKS;
  const text = `NotificationType ${notification} is not in list 1.`;
  return [{ kind: "unknown-notification", text, line, column }];
}

function prepareScanned(scanned: ScannedProduct): FullRecord {
  const { line, column } = scanned;
  return { kind: "full-record", entry: entryFromFields(scanned), line, column, remarks: NO_REMARKS };
}
