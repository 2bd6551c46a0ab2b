/** Remarks about a product as a whole: its identifiers, reference, notification and dates. */

import type { Position } from "../../xml/position.ts";
import { hasValidCheckDigit, type Isbn13 } from "../isbn.ts";
import {
  describeBadIsbns,
  describeContradiction,
  hasWrongIsbn10CheckDigit,
  type Identifier,
} from "../product-identifiers.ts";
import type { Remark, RemarkKind } from "../remark.ts";
import type { ProductAction } from "../scanned-product.ts";
import type { ProductFacts } from "./product-facts.ts";

/** NotificationType, list 1. */
const FULL_RECORDS: ReadonlySet<string> = new Set(["01", "02", "03", "08", "09"]);

export interface ReadProduct {
  readonly action: ProductAction;
  readonly isbn: Isbn13 | undefined;
  /** Its identifiers are as they should be; see `usualIsbn`. */
  readonly isUsual: boolean;
  readonly facts: ProductFacts;
  /** Flags that contradict other elements, and were left out. */
  readonly unsetFlags: readonly string[];
}

export function productRemarks(product: ReadProduct, { line, column }: Position): readonly Remark[] {
  const { action, isbn, isUsual, facts, unsetFlags } = product;
  const { notification, unreadableDate } = facts;
  const remarks: Remark[] = [];
  const remark = (kind: RemarkKind, text: string) => remarks.push({ kind, text, line, column });
  if (facts.reference === "") remark("no-reference", "The product has no RecordReference.");
  if (!isUsual) remarkIdentifiers(facts.identifiers, isbn, remark);
  for (const flag of unsetFlags) {
    remark("contradiction", `${flag} contradicts other elements of the product.`);
  }
  if (unreadableDate !== "") {
    remark("bad-date", `The publication date "${unreadableDate}" is not a date.`);
  }
  if (action === "record" && !FULL_RECORDS.has(notification)) {
    if (notification === "") remark("no-notification", "The product has no NotificationType.");
    else remark("unknown-notification", `NotificationType ${notification} is not in list 1.`);
  }
  return remarks;
}

function remarkIdentifiers(
  identifiers: readonly Identifier[],
  isbn: Isbn13 | undefined,
  remark: (kind: RemarkKind, text: string) => void,
): void {
  for (const sentence of describeBadIsbns(identifiers)) remark("bad-isbn", sentence);
  if (isbn && !hasValidCheckDigit(isbn)) {
    remark("wrong-check-digit", `The check digit of ${isbn} is wrong.`);
  }
  if (hasWrongIsbn10CheckDigit(identifiers)) {
    remark("wrong-check-digit", "The check digit of the ISBN-10 is wrong.");
  }
  const contradiction = describeContradiction(identifiers);
  if (contradiction !== undefined) remark("contradicting-identifiers", contradiction);
}
