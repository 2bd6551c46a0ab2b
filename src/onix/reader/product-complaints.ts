/** Complaints about a product as a whole: its identifiers, reference, notification and dates. */

import type { Position } from "../../xml/position.ts";
import type { Complaint, ComplaintKind } from "../complaint.ts";
import { hasValidCheckDigit, type Isbn13 } from "../isbn.ts";
import {
  brokenIsbn10,
  describeBadIsbns,
  describeContradiction,
  describeUnusableIsbn,
  type Identifier,
} from "../product-identifiers.ts";
import type { ProductAction } from "../scanned-product.ts";
import type { ProductFacts } from "./product-facts.ts";

/** NotificationType, list 1. */
const FULL_RECORDS: ReadonlySet<string> = new Set(["01", "02", "03", "08", "09"]);

interface ReadProduct {
  readonly action: ProductAction;
  readonly isbn: Isbn13 | undefined;
  /** Its identifiers are as they should be; see `usualIsbn`. */
  readonly isUsual: boolean;
  readonly facts: ProductFacts;
  /** Flags that contradict other elements, and were left out. */
  readonly unsetFlags: readonly string[];
}

export function productComplaints(product: ReadProduct, { line, column }: Position): readonly Complaint[] {
  const { action, isbn, isUsual, facts, unsetFlags } = product;
  const { notification, unreadableDate } = facts;
  const complaints: Complaint[] = [];
  const complaint = (kind: ComplaintKind, text: string) => complaints.push({ kind, text, line, column });
  if (facts.reference === "") complaint("no-reference", "The product has no RecordReference.");
  if (!isUsual) complaintIdentifiers(facts.identifiers, isbn, complaint);
  for (const flag of unsetFlags) {
    complaint("contradiction", `${flag} contradicts other elements of the product.`);
  }
  if (unreadableDate !== "") {
    complaint("bad-date", `The publication date "${unreadableDate}" cannot be read as a day.`);
  }
  if (action === "record" && !FULL_RECORDS.has(notification)) {
    if (notification === "") complaint("no-notification", "The product has no NotificationType.");
    else complaint("unknown-notification", describeUnknown(facts));
  }
  return complaints;
}

/** A product with an unknown code may be an update. Without a description, it would replace a record that has more. */
export function isWholeRecord({ notification, descriptiveDetail }: ProductFacts): boolean {
  return notification === "" || FULL_RECORDS.has(notification) || descriptiveDetail >= 0;
}

export function describeRejection(facts: ProductFacts, isbn: Isbn13 | undefined): string {
  if (isbn === undefined) return describeUnusableIsbn(facts.identifiers) ?? "The product has no ISBN.";
  return `${describeUnknown(facts)} Without DescriptiveDetail it is no whole record.`;
}

function describeUnknown({ notification }: ProductFacts): string {
  return `NotificationType ${notification} is not in list 1.`;
}

function complaintIdentifiers(
  identifiers: readonly Identifier[],
  isbn: Isbn13 | undefined,
  complaint: (kind: ComplaintKind, text: string) => void,
): void {
  for (const sentence of describeBadIsbns(identifiers)) complaint("bad-isbn", sentence);
  if (isbn && !hasValidCheckDigit(isbn)) {
    complaint("wrong-check-digit", `The check digit of ${isbn} is wrong.`);
  }
  const broken = brokenIsbn10(identifiers);
  if (broken !== undefined) {
    complaint("wrong-check-digit", `The check digit of the ISBN-10 ${broken} is wrong.`);
  }
  const contradiction = describeContradiction(identifiers);
  if (contradiction !== undefined) complaint("contradicting-identifiers", contradiction);
}
