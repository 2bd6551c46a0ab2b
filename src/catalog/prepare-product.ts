/** What a product of a feed asks for, worked out as far as it goes without looking into the catalog. */
import type { OnixElement } from "../onix/element.ts";
import type { ScannedProduct } from "../onix/fast/batch-scanner.ts";
import { isScannedProduct } from "../onix/fast/fast-reader.ts";
import { explainMissingIsbn } from "../onix/identifiers.ts";
import type { Isbn13 } from "../onix/isbn.ts";
import type { OnixRelease } from "../onix/message-version.ts";
import {
  type BookRecord,
  buildRecord,
  hasRequiredBlocks,
  type Origin,
  type Product,
  productIdentifiers,
  readProduct,
} from "../onix/record.ts";
import { createEntry, etagOf, unreadableDate } from "./entry.ts";
import { imprintFromName } from "./imprint.ts";
import type { ComplaintKind } from "./report.ts";
import type { Entry } from "./store.ts";

export type PreparedProduct = FullRecord | BlockUpdate | Deletion | Rejection | TestRecord;

/** Whom a complaint is about, and where. */
export interface ProductLocation {
  readonly reference: string;
  readonly isbn: Isbn13 | undefined;
  readonly line: number;
  readonly column: number;
}

/** Something to be told of a product that is taken all the same. */
export interface Warning {
  readonly kind: ComplaintKind;
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

export interface FullRecord {
  readonly kind: "whole";
  readonly entry: Entry;
  readonly line: number;
  readonly column: number;
  readonly warnings: readonly Warning[];
}

export interface BlockUpdate {
  readonly kind: "update";
  readonly product: Product;
}

export interface Deletion {
  readonly kind: "deletion";
  readonly subject: ProductLocation;
}

export interface Rejection {
  readonly kind: "rejection";
  readonly subject: ProductLocation;
  /** Why, in one sentence. */
  readonly text: string;
}

export interface TestRecord {
  readonly kind: "test";
}

/** NotificationType, list 1. */
const WHOLE: ReadonlySet<string> = new Set(["01", "02", "03", "08", "09"]);
const UPDATE = "04";
const DELETE = "05";
const TESTS: ReadonlySet<string> = new Set(["88", "89"]);
const NO_NOTES: readonly Warning[] = [];

export function prepareProduct(given: ScannedProduct): FullRecord;
export function prepareProduct(given: OnixElement | ScannedProduct, release: OnixRelease): PreparedProduct;
export function prepareProduct(
  given: OnixElement | ScannedProduct,
  release: OnixRelease = "3.0",
): PreparedProduct {
  if (isScannedProduct(given)) return scannedWhole(given);
  const product = readProduct(given, release);
  const { reference, notification, isbn, line, column } = product;
  const subject = { reference, isbn, line, column };
  if (TESTS.has(notification)) return { kind: "test" };
  if (notification === DELETE || "DeletionText" in product.fields) return { kind: "deletion", subject };
  if (notification === UPDATE && !hasRequiredBlocks(product)) return { kind: "update", product };
  if (isbn === undefined) {
    return { kind: "rejection", subject, text: explainMissingIsbn(productIdentifiers(product.fields)) };
  }
  const { record, origin } = buildRecord(product, isbn);
  const { entry, notes } = createEntryWithWarnings(record, reference, origin, product);
  return { kind: "whole", entry, line, column, warnings: [...notes, ...notesOn(product)] };
}

/** The entry of a record that was made of a product, and what is to be said of it. */
export function createEntryWithWarnings(
  record: BookRecord,
  reference: string,
  origin: Origin,
  { remarks, line, column }: Product,
): { entry: Entry; notes: readonly Warning[] } {
  const date = unreadableDate(record);
  const text = `The date of publication "${date}" is no date.`;
  const notes =
    date === undefined ? remarks : [...remarks, { kind: "bad-date", text, line, column } as const];
  return { entry: createEntry(record, reference, origin), notes };
}

function notesOn({ notification, line, column }: Product): readonly Warning[] {
  if (notification === "") {
    return [{ kind: "no-notification", text: "The product has no NotificationType.", line, column }];
  }
  if (WHOLE.has(notification) || notification === UPDATE) return NO_NOTES;
  const text = `NotificationType ${notification} is not in list 1.`;
  return [{ kind: "unknown-notification", text, line, column }];
}

function scannedWhole(scanned: ScannedProduct): FullRecord {
  const { isbn, body, reference, imprint: name, languages, published, origin, line, column } = scanned;
  const imprint = name === undefined ? undefined : knownImprint(name);
  const entry = { isbn, body, etag: etagOf(body), reference, imprint, languages, published, origin };
  return { kind: "whole", entry, line, column, warnings: NO_NOTES };
}

/** Of thousands of books the same, and asked for one after the other. */
const imprints = new Map<string, Entry["imprint"]>();
const MOST_IMPRINTS = 10_000;

function knownImprint(name: string): Entry["imprint"] {
  if (!imprints.has(name)) {
    if (imprints.size >= MOST_IMPRINTS) imprints.clear();
    imprints.set(name, imprintFromName(name));
  }
  return imprints.get(name);
}
