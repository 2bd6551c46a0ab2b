import { type Position, positionFrom } from "../xml/position.ts";

/** Something about a feed that its sender should know. The feed is imported nevertheless. */
export interface Complaint {
  readonly kind: ComplaintKind;
  /** One sentence, without the position. */
  readonly text: string;
  readonly line: number;
  readonly column: number;
  /** The reference name of the element that the complaint is about. */
  readonly element?: string;
  /** The code or value that the complaint is about, or what is missing. */
  readonly value?: string;
  /** The element is a child of the product that belongs to no block: an update leaves it out. */
  readonly isInNoBlock?: boolean;
}

/** The report of `colophon import --report` has these codes, so they must not change; see docs/contract.md. */
export type ComplaintKind =
  | "unknown-element"
  | "misplaced-element"
  | "repeated-element"
  | "stray-text"
  | "unknown-code"
  | "bad-date"
  | "decimal-comma"
  | "bad-amount"
  | "bad-value"
  | "wrong-check-digit"
  | "bad-isbn"
  | "no-reference"
  | "no-notification"
  | "unknown-notification"
  | "contradiction"
  | "contradicting-identifiers"
  | "negated-flag"
  | "encoding"
  | "control-characters"
  | "skipped-file"
  | "skipped-feed"
  | ImportKind
  | CheckKind;

/** Rules about the catalog, or about several products, find these. */
type ImportKind =
  | "no-isbn"
  | "partial-update-of-nothing"
  | "deletion-of-nothing"
  | "same-isbn-twice"
  | "isbn-mismatch"
  | "ambiguous-reference"
  | "reference-moved"
  | "other-sender"
  | "older-message";

/** Only `colophon check` looks for these; see docs/check.md. */
type CheckKind =
  | "bad-attribute"
  | "missing-element"
  | "too-many"
  | "wrong-order"
  | "conflicting-elements"
  | "wrong-release"
  | "duplicate-value"
  | "deprecated-code"
  | "date-contradiction"
  | "status-contradiction"
  | "incomplete";

/** Returns the complaints with their positions in the document. Their chunk begins at `start`. */
export function complaintsFrom(start: Position, complaints: readonly Complaint[]): readonly Complaint[] {
  return complaints.length === 0
    ? complaints
    : complaints.map((complaint) => ({ ...complaint, ...positionFrom(start, complaint) }));
}
