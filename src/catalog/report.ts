/** The report of an import: its counts, and its complaints about the feeds. */

import { remedyFor } from "../onix/check/element-remedy.ts";
import type { ComplaintKind } from "../onix/complaint.ts";
import type { Isbn13 } from "../onix/isbn.ts";
import type { RecordStatus } from "./import-state.ts";
import { RevisionSum } from "./revision.ts";

export type Severity = "rejected" | "warning";

/** The reported form of a complaint or a rejection: with its severity, the product and the file. */
export interface ReportedComplaint {
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
  /** The reference name of the element that the complaint is about. */
  readonly element?: string;
  /** The code or value that the complaint is about, or what is missing. */
  readonly value?: string;
}

/**
 * The effect of an import. Every product is in exactly one count: the sum of all but `removed` and `warnings`, minus
 * `removed`, is the number of products.
 */
export interface Counts {
  added: number;
  updated: number;
  /** Products whose record has the same JSON as before. */
  unchanged: number;
  /** Deleted records, with those of `removed`. */
  deleted: number;
  /** Records that no feed contains, and that `--replace` removes. */
  removed: number;
  rejected: number;
  /** Products of a book that occurs again later in the import: only the last one counts as added, updated, etc. */
  repeated: number;
  /** Deletions of books that are not in the catalog, and products whose ISBN and reference are of different books. */
  ignored: number;
  /** Products of other senders that `--other-senders keep` did not apply. */
  kept: number;
  /** Test records (NotificationType 88 and 89), which are not stored. */
  tests: number;
  warnings: number;
}

export function emptyCounts(): Counts {
  return {
    added: 0,
    updated: 0,
    unchanged: 0,
    deleted: 0,
    removed: 0,
    rejected: 0,
    repeated: 0,
    ignored: 0,
    kept: 0,
    tests: 0,
    warnings: 0,
  };
}

/** Returns the count of a product that changes a record from one etag to another. Undefined means no record. */
function changeOf(before: string | undefined, after: string | undefined) {
  if (before === undefined) return after === undefined ? "ignored" : "added";
  if (after === undefined) return "deleted";
  return before === after ? "unchanged" : "updated";
}

/** Returns the remedy for a complaint about a product, or about an element and value of it. */
export function adviceFor(kind: ComplaintKind, element?: string, value?: string): string {
  return withRemedy(ADVICE[kind], remedyFor(kind, element, value));
}

/** Replaces what follows the semicolon, or the whole sentence. */
function withRemedy(advice: string, remedy: string | undefined): string {
  if (remedy === undefined) return advice;
  const start = advice.lastIndexOf("; ");
  return start < 0 ? `${capitalize(remedy)}.` : `${advice.slice(0, start)}; ${remedy}.`;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the remedy for a complaint about a product that is not stored: it does not say how its content is stored. */
export function adviceAboutUnstored(kind: ComplaintKind, element?: string, value?: string): string {
  return capitalize(adviceFor(kind, element, value).replace(/^[^;]*\bstored\b[^;]*; /, ""));
}

/** Returns the remedy for a complaint about what is outside the products, which is not stored. */
export function adviceAboutMessage(kind: ComplaintKind, element?: string, value?: string): string {
  return MESSAGE_ADVICE[kind] ?? adviceAboutUnstored(kind, element, value);
}

/** The remedies of the sender or the operator, by the kind of complaint. */
const ADVICE: Readonly<Record<ComplaintKind, string>> = {
  "unknown-element": "It is stored as received; check the spelling, or ask the sender for ONIX 3.",
  "misplaced-element": "It is stored where it was sent; move it to its position in ONIX 3.",
  "repeated-element": "The first one counts and the others are stored after it; send it once.",
  "stray-text": "It is stored as received; remove the text, or put it into an element.",
  "unknown-code": "It is stored as received; use a code of the list.",
  "bad-date": "The book does not appear in the news by this date; send YYYYMMDD, YYYYMM or YYYY.",
  "decimal-comma":
    "It is stored as received, and read with a decimal point everywhere else; send a decimal point.",
  "bad-amount":
    "It is stored as received, and counts as no price; send a number with a decimal point, such as 9.90.",
  "wrong-check-digit": "The number is stored as received; correct it if the book shows another one.",
  "bad-isbn": "The ISBN-13 is stored beside it or instead of it; send 13 digits under types 15 and 03.",
  "no-reference": "Without one it can be updated or deleted only by its ISBN; send a RecordReference.",
  contradiction: "The flag was ignored; send the flag or the other elements, not both.",
  "contradicting-identifiers": "The first one named is the book; correct or omit the others.",
  "negated-flag": "It was read as the absence of the flag; omit the element instead.",
  encoding: "Save the feed as UTF-8, and declare it as that.",
  "control-characters": "The text is stored as received; convert it from windows-1252 before it is sent.",
  "skipped-file": "Nothing of it was imported; send feeds as .xml.",
  "skipped-feed": "Nothing of it was imported; rename it, so that no part of its path begins with a dot.",
  "no-isbn": "Send an ISBN-13 (type 15), a GTIN-13 of a book (03) or a correct ISBN-10 (02).",
  "no-notification": "It was imported as a full record (03); send a NotificationType.",
  "unknown-notification": "With DescriptiveDetail it counts as a full record (03); use a code of list 1.",
  "partial-update-of-nothing": "Send the whole product first, with its ISBN.",
  "deletion-of-nothing":
    "Nothing was deleted; check that the ISBN or the reference is that of an earlier product.",
  "isbn-mismatch": "Nothing was changed; send the ISBN and the reference of the same book.",
  "ambiguous-reference": "Nothing was changed; send the ISBN of the book.",
  "reference-moved":
    "Both books are in the catalog; if the other one no longer exists, send a deletion (05) with its ISBN.",
  "other-sender":
    "It was applied; to keep books as their owners sent them, import with --other-senders keep.",
  "older-message": "It was imported nevertheless; import feeds in the order in which they were sent.",
  "same-isbn-twice": "The later one was imported; send each book once.",
  "bad-value": "It is stored as received; send a value of the datatype.",
  "bad-attribute": "It is stored as received; correct or omit the attribute.",
  "missing-element": "ONIX requires it there; send it.",
  "too-many": "All are stored; send as many as ONIX allows.",
  "wrong-order":
    "It is stored in the order of ONIX; send it in the order of ONIX, because other readers may refuse it.",
  "conflicting-elements": "Both are stored; send one or the other.",
  "wrong-release": "It is stored as received; use an element of the release that the message declares.",
  "duplicate-value": "Both are stored; send each value once.",
  "deprecated-code": "It is stored as received; use a code that EDItEUR still recommends.",
  "date-contradiction": "Both are stored; correct the one that is wrong.",
  "status-contradiction": "Both are stored; correct the one that is wrong.",
  incomplete: "Shops need it to sell the book; send it.",
};

const MESSAGE_ADVICE: Readonly<Partial<Record<ComplaintKind, string>>> = {
  "unknown-element": "It was ignored; check the spelling, or ask the sender for ONIX 3.",
  "misplaced-element": "It was ignored; send it once, before the products.",
  "repeated-element": "The first one counts; send it once.",
  "stray-text": "It was ignored; remove it, or put it into an element.",
  // Most of them are in the texts of products.
  "control-characters": ADVICE["control-characters"],
};

export const COMPLAINT_KINDS = Object.keys(ADVICE) as readonly ComplaintKind[];

/** The revision and the counts of an import. */
export class ImportTally {
  readonly counts: Counts = emptyCounts();
  readonly revision: RevisionSum;

  /** `revision` is that of the catalog when the import began. */
  constructor(revision: string) {
    this.revision = new RevisionSum(revision);
  }

  /** Accounts for a record that becomes `after`. Only the last product of a book counts. */
  count(status: RecordStatus, after: string | undefined): void {
    this.revision.change(status.etag, after);
    if (status.lastFeed !== 0) {
      this.counts[changeOf(status.etagBefore, status.etag)]--;
      this.counts.repeated++;
    }
    this.counts[changeOf(status.etagBefore, after)]++;
  }
}
