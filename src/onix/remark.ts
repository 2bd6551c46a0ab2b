/** Something about a feed that its sender should know. The feed is imported nevertheless. */
export interface Remark {
  readonly kind: RemarkKind;
  /** One sentence, without the position. */
  readonly text: string;
  readonly line: number;
  readonly column: number;
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
  | "contradiction";
