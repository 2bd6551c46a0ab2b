/** Something about a feed that its sender should know. What is said is kept short of judging: a caller decides. */
export interface Remark {
  readonly kind: RemarkKind;
  /** One sentence, without the place. */
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

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
