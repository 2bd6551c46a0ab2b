/** The summary of a book, as docs/summary.md describes it. */
export interface Summary {
  readonly isbn: string;
  readonly isbn10: string | null;
  readonly title: string | null;
  readonly subtitle: string | null;
  readonly collection: string | null;
  readonly contributors: readonly { readonly name: string | null; readonly role: string | null }[];
  readonly imprint: string | null;
  readonly publisher: string | null;
  /** YYYY-MM-DD */
  readonly published: string | null;
  readonly status: string | null;
  readonly form: string | null;
  readonly languages: readonly string[];
  readonly pages: number | null;
  readonly subjects: readonly {
    readonly scheme: string | null;
    readonly code: string | null;
    readonly text: string | null;
  }[];
  readonly audience: readonly string[];
  readonly prices: readonly {
    readonly amount: string;
    readonly currency: string | null;
    readonly type: string | null;
    readonly from: string | null;
    readonly until: string | null;
    readonly territory: string | null;
  }[];
  readonly availability: string | null;
  readonly description: string | null;
  readonly cover: string | null;
  readonly updated: string | null;
}
