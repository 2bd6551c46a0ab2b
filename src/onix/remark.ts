/** Something about a feed that its sender should know. The feed is imported nevertheless. */
export interface Remark {
  readonly kind: RemarkKind;
  /** One sentence, without the position. */
  readonly text: string;
  readonly line: number;
  readonly column: number;
  /** The reference name of the element that the remark is about. */
  readonly element?: string;
  /** The code or value that the remark is about, or what is missing. */
  readonly value?: string;
}

/** The report of `colophon import --report` has these codes, so they must not change; see docs/contract.md. */
export type RemarkKind =
  | "unknown-element"
  | "misplaced-element"
  | "repeated-element"
  | "stray-text"
  | "unknown-code"
  | "bad-date"
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
  | CheckKind;

/** Only `colophon check` looks for these; see docs/check.md. */
export type CheckKind =
  | "bad-value"
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
