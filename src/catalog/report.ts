/** The report of an import: its counts, and its complaints about the feeds. */
import type { Isbn13 } from "../onix/isbn.ts";
import type { RemarkKind } from "../onix/remark.ts";

export type Severity = "rejected" | "warning";

export type ComplaintKind =
  | RemarkKind
  | "no-isbn"
  | "partial-update-of-nothing"
  | "deletion-of-nothing"
  | "same-isbn-twice";

/** The reported form of a remark or a rejection: with its severity, the product and the file. */
export interface Complaint {
  readonly severity: Severity;
  readonly kind: ComplaintKind;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly reference: string;
  readonly isbn: Isbn13 | undefined;
  /** The problem, in one sentence. */
  readonly text: string;
  /** The remedy, in one sentence. */
  readonly advice: string;
}

/** The effect of an import. A record that it changes several times counts once, by its state at the end. */
export interface Counts {
  added: number;
  updated: number;
  unchanged: number;
  deleted: number;
  rejected: number;
  /** Test records (NotificationType 88 and 89), which are not stored. */
  tests: number;
  warnings: number;
}

export function emptyCounts(): Counts {
  return { added: 0, updated: 0, unchanged: 0, deleted: 0, rejected: 0, tests: 0, warnings: 0 };
}

/** The remedies of the sender or the operator, by the kind of complaint. */
export const ADVICE: Readonly<Record<ComplaintKind, string>> = {
  "unknown-element": "It is stored as received; check the spelling, or ask the sender for ONIX 3.",
  "misplaced-element": "It is stored where it was sent; move it to its position in ONIX 3.",
  "repeated-element": "The first one counts and the others are stored after it; send it once.",
  "stray-text": "It is stored as received; put the text into an element.",
  "unknown-code": "It is stored as received; use a code of the list.",
  "bad-date": "The book does not appear in the news by this date; send YYYYMMDD, YYYYMM or YYYY.",
  "wrong-check-digit": "The book is stored under this number; correct it if the book shows another one.",
  "bad-isbn": "The ISBN-13 is stored beside it or instead of it; send 13 digits under types 15 and 03.",
  "no-reference": "Without one it can be updated or deleted only by its ISBN; send a RecordReference.",
  contradiction: "The flag was ignored; send one or the other.",
  "no-isbn": "Send an ISBN-13 (type 15), a GTIN-13 of a book (03) or an ISBN-10 (02).",
  "no-notification": "It was imported as a full record (03); send a NotificationType.",
  "unknown-notification": "It was imported as a full record (03); use a code of list 1.",
  "partial-update-of-nothing": "Send the full product first.",
  "deletion-of-nothing":
    "Nothing was deleted; check that the reference and the ISBN are those of an earlier product.",
  "same-isbn-twice": "The later one was imported; send each book once.",
  "bad-value": "It is stored as received; send a value of the datatype.",
  "bad-attribute": "It is stored as received; correct or omit the attribute.",
  "missing-element": "ONIX requires it there; send it.",
  "too-many": "All are stored; send as many as ONIX allows.",
  "wrong-order":
    "It is stored in the order of ONIX; send it in that order, because other readers may refuse it.",
  "conflicting-elements": "Both are stored; send one or the other.",
  "wrong-release": "It is stored as received; use an element of the release that the message declares.",
  "duplicate-value": "Both are stored; send each value once.",
  "deprecated-code": "It is stored as received; use a code that EDItEUR still recommends.",
  "date-contradiction": "Both are stored; correct the one that is wrong.",
  incomplete: "Shops need it to sell the book; send it.",
};
