/** What a product of a feed asks for, worked out as far as it goes without looking into the catalog. */
import type { OnixElement } from "../onix/element.ts";
import { isScanned } from "../onix/fast/reader.ts";
import type { Scanned } from "../onix/fast/scanning.ts";
import { whyNoBook } from "../onix/identity.ts";
import type { Isbn13 } from "../onix/isbn.ts";
import {
  type BookRecord,
  identifiersOf,
  isWhole,
  type Origin,
  type Product,
  readProduct,
  recordOf,
} from "../onix/record.ts";
import type { Release } from "../onix/release.ts";
import { entryOf, etagOf, unreadableDate } from "./entry.ts";
import { imprintCalled } from "./imprint.ts";
import type { ComplaintKind } from "./report.ts";
import type { Entry } from "./store.ts";

export type Prepared = Whole | Update | Deletion | Rejection | Test;

/** Whom a complaint is about, and where. */
export interface Subject {
  readonly reference: string;
  readonly isbn: Isbn13 | undefined;
  readonly line: number;
  readonly column: number;
}

/** Something to be told of a product that is taken all the same. */
export interface Note {
  readonly kind: ComplaintKind;
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

export interface Whole {
  readonly asks: "whole";
  readonly entry: Entry;
  readonly line: number;
  readonly column: number;
  readonly notes: readonly Note[];
}

export interface Update {
  readonly asks: "update";
  readonly product: Product;
}

export interface Deletion {
  readonly asks: "deletion";
  readonly subject: Subject;
}

export interface Rejection {
  readonly asks: "rejection";
  readonly subject: Subject;
  /** Why, in one sentence. */
  readonly text: string;
}

export interface Test {
  readonly asks: "test";
}

/** NotificationType, list 1. */
const WHOLE: ReadonlySet<string> = new Set(["01", "02", "03", "08", "09"]);
const UPDATE = "04";
const DELETE = "05";
const TESTS: ReadonlySet<string> = new Set(["88", "89"]);
const NO_NOTES: readonly Note[] = [];

export function prepare(given: Scanned): Whole;
export function prepare(given: OnixElement | Scanned, release: Release): Prepared;
export function prepare(given: OnixElement | Scanned, release: Release = "3.0"): Prepared {
  if (isScanned(given)) return scannedWhole(given);
  const product = readProduct(given, release);
  const { reference, notification, isbn, line, column } = product;
  const subject = { reference, isbn, line, column };
  if (TESTS.has(notification)) return { asks: "test" };
  if (notification === DELETE || "DeletionText" in product.fields) return { asks: "deletion", subject };
  if (notification === UPDATE && !isWhole(product)) return { asks: "update", product };
  if (isbn === undefined) {
    return { asks: "rejection", subject, text: whyNoBook(identifiersOf(product.fields)) };
  }
  const { record, origin } = recordOf(product, isbn);
  const { entry, notes } = entryWithNotes(record, reference, origin, product);
  return { asks: "whole", entry, line, column, notes: [...notes, ...notesOn(product)] };
}

/** The entry of a record that was made of a product, and what is to be said of it. */
export function entryWithNotes(
  record: BookRecord,
  reference: string,
  origin: Origin,
  { remarks, line, column }: Product,
): { entry: Entry; notes: readonly Note[] } {
  const date = unreadableDate(record);
  const text = `The date of publication "${date}" is no date.`;
  const notes =
    date === undefined ? remarks : [...remarks, { kind: "bad-date", text, line, column } as const];
  return { entry: entryOf(record, reference, origin), notes };
}

function notesOn({ notification, line, column }: Product): readonly Note[] {
  if (notification === "") {
    return [{ kind: "no-notification", text: "The product has no NotificationType.", line, column }];
  }
  if (WHOLE.has(notification) || notification === UPDATE) return NO_NOTES;
  const text = `NotificationType ${notification} is not in list 1.`;
  return [{ kind: "unknown-notification", text, line, column }];
}

function scannedWhole(scanned: Scanned): Whole {
  const { isbn, body, reference, imprint: name, languages, published, origin, line, column } = scanned;
  const imprint = name === undefined ? undefined : knownImprint(name);
  const entry = { isbn, body, etag: etagOf(body), reference, imprint, languages, published, origin };
  return { asks: "whole", entry, line, column, notes: NO_NOTES };
}

/** Of thousands of books the same, and asked for one after the other. */
const imprints = new Map<string, Entry["imprint"]>();
const MOST_IMPRINTS = 10_000;

function knownImprint(name: string): Entry["imprint"] {
  if (!imprints.has(name)) {
    if (imprints.size >= MOST_IMPRINTS) imprints.clear();
    imprints.set(name, imprintCalled(name));
  }
  return imprints.get(name);
}
