/** What an import has done, and what it has to say about the feeds. */
import type { Isbn13 } from "../onix/isbn.ts";
import type { RemarkKind } from "../onix/remark.ts";

export type Severity = "rejected" | "warning";

export type ComplaintKind =
  | RemarkKind
  | "no-isbn"
  | "no-notification"
  | "unknown-notification"
  | "partial-update-of-nothing"
  | "deletion-of-nothing"
  | "same-isbn-twice";

export interface Complaint {
  readonly severity: Severity;
  readonly kind: ComplaintKind;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly reference: string;
  readonly isbn: Isbn13 | undefined;
  /** What is the matter, in one sentence. */
  readonly text: string;
  /** What to do about it, in one sentence. */
  readonly advice: string;
}

/** What happened to the catalog's records, net of what one import did twice to the same. */
export interface Counts {
  added: number;
  updated: number;
  unchanged: number;
  deleted: number;
  rejected: number;
  /** Test records (NotificationType 88, 89): seen, not stored. */
  tests: number;
  warnings: number;
}

export function emptyCounts(): Counts {
  return { added: 0, updated: 0, unchanged: 0, deleted: 0, rejected: 0, tests: 0, warnings: 0 };
}

/** One sentence on each kind of complaint: what its sender, or the operator, can do. */
export const ADVICE: Readonly<Record<ComplaintKind, string>> = {
  "unknown-element": "It is kept as it came; check the spelling, or ask the sender for ONIX 3.",
  "misplaced-element": "It is kept where it stands; move it to its place in ONIX 3.",
  "repeated-element": "The first counts, the others are kept behind it; send it once.",
  "stray-text": "It is kept as it came; put the text into an element.",
  "unknown-code": "It is kept as it came; use a code of the list.",
  "bad-date": "The book is in no news by this date; send YYYYMMDD, YYYYMM or YYYY.",
  "wrong-check-digit":
    "The book is kept under this number; correct it if it is not what is printed on the book.",
  "bad-isbn": "The ISBN-13 stands beside it or in its place; send 13 digits under types 15 and 03.",
  "no-reference": "Without one it can be updated or deleted by its ISBN only; send a RecordReference.",
  contradiction: "The flag was passed over; send one or the other.",
  "no-isbn": "Send an ISBN-13 (type 15), a GTIN-13 of a book (03) or an ISBN-10 (02).",
  "no-notification": "It was taken as a whole record (03); send a NotificationType.",
  "unknown-notification": "It was taken as a whole record (03); use a code of list 1.",
  "partial-update-of-nothing": "Send the whole product first.",
  "deletion-of-nothing":
    "Nothing was to be done; check that reference and ISBN are those of an earlier product.",
  "same-isbn-twice": "The later one was taken; send each book once.",
};
