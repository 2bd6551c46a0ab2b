/** The changes of the catalog since a cursor: `GET /api/changes`. */
import type { Transport } from "./transport.ts";

export interface Change<Book> {
  readonly isbn: string;
  readonly change: "added" | "updated" | "deleted";
  /** When, in ISO 8601. */
  readonly at: string;
  /** The record or the summary, when the request had `view`. Undefined for a deletion. */
  readonly book?: Book;
}

export interface ChangesPage<Book> {
  readonly changes: readonly Change<Book>[];
  /** Where the next page begins: save it after the changes have been applied. */
  readonly next: string;
  readonly more: boolean;
}

export interface ChangesOptions {
  /** The `next` of the last page that was applied. When omitted, the whole catalog is listed. */
  readonly since?: string | undefined;
  /** Adds the record or the summary to each change. */
  readonly view?: "record" | "summary" | undefined;
  /** Changes per request, 1 to 1,000. */
  readonly limit?: number | undefined;
}

interface ResponseBody<Book> {
  readonly changes: readonly (Omit<Change<Book>, "book"> & { record?: Book; summary?: Book })[];
  readonly next: string;
  readonly more: boolean;
}

/** Lists the changes up to now, in order. A loop over it ends when there are no more. */
export class Changes<Book> implements AsyncIterable<Change<Book>> {
  constructor(
    private readonly transport: Transport,
    private readonly options: ChangesOptions,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Change<Book>, void, void> {
    for await (const { changes } of this.pages()) yield* changes;
  }

  async *pages(): AsyncGenerator<ChangesPage<Book>, void, void> {
    const { view, limit } = this.options;
    let { since } = this.options;
    for (let more = true; more; ) {
      const url = this.transport.urlOf("changes", { since, view, limit });
      const { body } = await this.transport.get<ResponseBody<Book>>(url);
      const changes = body.changes.map(({ record, summary, ...change }) => {
        const book = record ?? summary;
        return book === undefined ? change : { ...change, book };
      });
      ({ more, next: since } = body);
      yield { changes, next: since, more };
    }
  }
}
