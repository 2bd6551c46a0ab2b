/** A warning about a feed for its sender. The product is still read; the caller decides what to do with it. */
export interface Remark {
  readonly kind: RemarkKind;
  /** One sentence, without the position. */
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** These codes are part of the report of `colophon import --report`, so they must not change. */
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
  | "contradiction";
