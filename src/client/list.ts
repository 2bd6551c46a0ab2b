/** Lists that are read page by page, as far as the caller wants. */
import type { Query, Transport } from "./transport.ts";

export interface Page<T> {
  readonly items: readonly T[];
  /** The length of the whole list: a number, or a text such as `10000+`. Undefined when the service did not count. */
  readonly total: number | string | undefined;
  /** The query that was used instead of `q`, which finds nothing in the whole catalog. */
  readonly corrected: string | undefined;
  /** Where the next page begins: the option `cursor` of the same list. Undefined on the last page. */
  readonly cursor: string | undefined;
}

/** Reads a page when it is needed: `for await (const book of list)`. Each loop begins at the first page, or at a cursor. */
export class List<T> implements AsyncIterable<T> {
  constructor(
    private readonly transport: Transport,
    private readonly path: string,
    private readonly query: Query,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    for await (const { items } of this.pages()) yield* items;
  }

  async *pages(): AsyncGenerator<Page<T>, void, void> {
    let url: string | undefined = this.transport.urlOf(this.path, this.query);
    while (url !== undefined) {
      const { body, headers }: { body: readonly T[]; headers: Headers } = await this.transport.get(url);
      url = nextUrl(headers, url);
      const cursor = (url && new URL(url).searchParams.get("cursor")) ?? undefined;
      yield { items: body, total: totalOf(headers), corrected: correctedOf(headers), cursor };
    }
  }

  /** Reads the first page. */
  async first(): Promise<Page<T>> {
    for await (const page of this.pages()) return page;
    throw new Error("A list has at least one page");
  }

  /** Reads the whole list into memory. */
  async toArray(): Promise<T[]> {
    const all: T[] = [];
    for await (const item of this) all.push(item);
    return all;
  }
}

/** Returns the target of `Link: <…>; rel="next"`, resolved against the URL of the page (RFC 8288 §3.1). */
export function nextUrl(headers: Headers, url: string): string | undefined {
  const reference = /<([^>]*)>\s*;\s*rel="?next"?/i.exec(headers.get("link") ?? "")?.[1];
  return reference === undefined ? undefined : new URL(reference, url).href;
}

export function totalOf(headers: Headers): number | string | undefined {
  const text = headers.get("x-total-count");
  if (text === null) return undefined;
  return /^[0-9]+$/.test(text) ? Number(text) : text;
}

function correctedOf(headers: Headers): string | undefined {
  const text = headers.get("x-search-corrected");
  return text === null ? undefined : decodeURIComponent(text);
}
