/** The responses of `/api/imports` and `/api/imports/{number}`, as far as the page shows them. */

export interface ImportEntry {
  readonly number: number;
  /** ISO 8601. */
  readonly started: string;
  readonly durationMs: number;
  readonly outcome: "changed" | "unchanged" | "failed";
  /** The reason of a failure. */
  readonly message: string | null;
  readonly feedCount: number;
  /** The first ones. */
  readonly feeds: readonly {
    readonly name: string;
    readonly sender: string | null;
  }[];
  readonly counts: Readonly<Record<string, number>>;
  /** The updated books by what has changed. */
  readonly updates: Readonly<Record<string, number>>;
  readonly undoable: boolean;
  /** The import that this one has undone. */
  readonly undoes: number | null;
  /** The import that has undone this one. */
  readonly undoneBy: number | null;
  readonly complaints: { readonly total: number };
}

export interface ImportDetails extends ImportEntry {
  readonly complaintGroups: readonly ComplaintGroup[];
}

export interface ComplaintGroup {
  readonly severity: "rejected" | "warning";
  readonly kind: string;
  readonly text: string;
  readonly advice: string;
  readonly count: number;
  readonly examples: readonly ComplaintExample[];
}

export interface ComplaintExample {
  readonly isbn: string | null;
  /** The sender's reference of a product without an ISBN. */
  readonly reference: string | null;
  readonly file: string;
  readonly line: number;
}
