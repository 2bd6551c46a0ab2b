/** The client: one method per endpoint. */

import { Changes, type ChangesOptions } from "./changes.ts";
import { type DescribedTree, describeFields } from "./describe.ts";
import { ColophonError } from "./errors.ts";
import { FolderTarget } from "./folder.ts";
import type {
  Book,
  Facets,
  Import,
  ImportDetails,
  Origin,
  Quality,
  SearchQuery,
  SubjectEntry,
  Suggestions,
  Work,
} from "./generated/book.ts";
import { type Language, labelOf, type Translations } from "./labels.ts";
import { List } from "./list.ts";
import { type MirrorOptions, type MirrorResult, type MirrorTarget, mirror } from "./mirror.ts";
import {
  type Found,
  type Shaped,
  type ShapeOptions,
  type SummaryField,
  shapeQuery,
  type View,
} from "./shapes.ts";
import { type ClientOptions, type Query, Transport } from "./transport.ts";

export interface Imprint {
  readonly _id: { readonly slug: string };
  readonly slug: string;
  readonly name: string;
}

export type ViewOptions<V extends View = View> = Pick<ShapeOptions<V>, "view">;

export interface ListOptions<
  V extends View = View,
  F extends SummaryField = SummaryField,
  L extends Language | undefined = Language | undefined,
> extends ShapeOptions<V, F, L> {
  /** Books per request, 1 to 1,000. Default: 100. */
  readonly limit?: number | undefined;
  /** The `cursor` of a page: the list begins after it. The other options are those of that page. */
  readonly cursor?: string | undefined;
}

/** The query, filters and order of a search; see docs/search.md. A filter with several values needs one of them. */
export interface SearchOptions<
  V extends View = View,
  F extends SummaryField = SummaryField,
  L extends Language | undefined = Language | undefined,
  H extends boolean | undefined = boolean | undefined,
> extends ListOptions<V, F, L>,
    Omit<SearchQuery, keyof ListOptions | "highlight" | "format" | "shorttags"> {
  /** Adds where the words of `q` stand in the texts of each summary. */
  readonly highlight?: H;
}

/** The selection that is counted. Options of the list of books are ignored. */
export interface FacetOptions extends Omit<SearchOptions, "labels"> {
  /** The language of labels. Default: `eng`. */
  readonly labels?: Language | undefined;
}

/** The most ISBNs of one request. */
const MAX_ISBNS = 1000;
const DEFAULT_LIMIT = 100;
const DEFAULT_IMPORTS = 20;
const NOT_FOUND = 404;

export class Colophon {
  readonly #options: ClientOptions;
  #transport: Transport;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#transport = new Transport(options);
  }

  /** Returns a client whose requests this signal ends, too. Both keep bodies in one place: `until(signal).suggest(q)`. */
  until(signal: AbortSignal): Colophon {
    const client = new Colophon(this.#options);
    client.#transport = this.#transport.until(signal);
    return client;
  }

  /** Returns undefined for a book that the catalog does not have. */
  async book<
    V extends View = "record",
    F extends SummaryField = SummaryField,
    L extends Language | undefined = undefined,
  >(isbn: string, options: ShapeOptions<V, F, L> = {}): Promise<Shaped<V, F, L> | undefined> {
    return await this.#find(`isbn/${encodeURIComponent(isbn)}`, "Book not found", shapeQuery(options));
  }

  /** Returns the books that the catalog has, in the given order. Any number of ISBNs can be given. */
  async books<
    V extends View = "record",
    F extends SummaryField = SummaryField,
    L extends Language | undefined = undefined,
  >(isbns: readonly string[], options: ShapeOptions<V, F, L> = {}): Promise<Shaped<V, F, L>[]> {
    const books: Shaped<V, F, L>[] = [];
    for (let start = 0; start < isbns.length; start += MAX_ISBNS) {
      const list = isbns
        .slice(start, start + MAX_ISBNS)
        .map(encodeURIComponent)
        .join(",");
      const query = { ...shapeQuery(options), missing: "skip" };
      books.push(...(await this.#get<Shaped<V, F, L>[]>(`isbns/${list}`, query)));
    }
    return books;
  }

  /** Returns the editions of a book's work, the book included. Returns undefined for a book that the catalog does not have. */
  work(isbn: string): Promise<Work | undefined> {
    return this.#find(`work/${encodeURIComponent(isbn)}`, "Book not found");
  }

  imprints(): Promise<Imprint[]> {
    return this.#get("imprints");
  }

  /** Lists the books of an imprint, by ISBN. `imprint` is a slug or a name. */
  imprint<
    V extends View = "record",
    F extends SummaryField = SummaryField,
    L extends Language | undefined = undefined,
  >(
    imprint: string,
    {
      language,
      limit = DEFAULT_LIMIT,
      cursor,
      ...shape
    }: ListOptions<V, F, L> & { readonly language?: string | undefined } = {},
  ): List<Shaped<V, F, L>> {
    const query = { language, ...shapeQuery(shape), limit, cursor };
    return new List(this.#transport, `imprint/${encodeURIComponent(imprint)}`, query);
  }

  /** Lists the books that were published from a day on (YYYYMMDD), or within the last 90 days. */
  news<
    V extends View = "record",
    F extends SummaryField = SummaryField,
    L extends Language | undefined = undefined,
  >({
    date,
    limit = DEFAULT_LIMIT,
    cursor,
    ...shape
  }: ListOptions<V, F, L> & { readonly date?: string | undefined } = {}): List<Shaped<V, F, L>> {
    return new List(this.#transport, "news", { date, ...shapeQuery(shape), limit, cursor });
  }

  /** Lists the ISBNs of the whole catalog, ascending. */
  isbns(): List<string> {
    return new List(this.#transport, "skus", { limit: MAX_ISBNS });
  }

  /** Lists the books that a query and filters find, as summaries unless `view` is `record`. */
  search<
    V extends View = "summary",
    F extends SummaryField = SummaryField,
    L extends Language | undefined = undefined,
    H extends boolean | undefined = false,
  >(options: SearchOptions<V, F, L, H>): List<Found<V, F, L, H>> {
    const { limit = DEFAULT_LIMIT, fields, highlight, ...query } = options;
    const shape = { fields: fields?.join(), highlight: highlight ? 1 : undefined };
    return new List(this.#transport, "search", { limit, ...query, ...shape });
  }

  /** Lists the imports of the catalog, newest first, also those that failed. */
  imports({
    limit = DEFAULT_IMPORTS,
    ...filter
  }: {
    readonly limit?: number | undefined;
    readonly outcome?: Import["outcome"] | undefined;
    readonly sender?: string | undefined;
  } = {}): List<Import> {
    return new List(this.#transport, "imports", { limit, ...filter });
  }

  /** Returns an import with its complaints. Returns undefined when the history does not have it. */
  import(number: number): Promise<ImportDetails | undefined> {
    return this.#find(`imports/${number}`, "Import not found");
  }

  /** Returns where a book comes from. Returns undefined for a book that the catalog does not have. */
  origin(isbn: string): Promise<Origin | undefined> {
    return this.#find(`origin/${encodeURIComponent(isbn)}`, "Book not found");
  }

  /** Counts the books that a query and filters find, by each value of each facet. */
  facets({
    sort: _sort,
    view: _view,
    group: _group,
    limit: _limit,
    cursor: _cursor,
    fields: _fields,
    highlight: _highlight,
    ...selection
  }: FacetOptions): Promise<Facets> {
    return this.#get("facets", { ...selection });
  }

  /** Returns books, contributors, imprints and series with the words that were typed; the last may be unfinished. */
  async suggest(
    q: string,
    { limit }: { readonly limit?: number | undefined } = {},
  ): Promise<Suggestions["suggestions"]> {
    return (await this.#get<Suggestions>("suggest", { q, limit })).suggestions;
  }

  /**
   * Counts what the books of the whole catalog have, by imprint, language, form, price band and month; with a day
   * (YYYYMMDD), what those have that are published from it on.
   */
  quality({ from }: { readonly from?: string | undefined } = {}): Promise<Quality> {
    return this.#get("quality", { from });
  }

  /** Lists the subjects of Thema at the top, those directly below a code, or those of `codes`. `count`: with books. */
  subjects({
    codes,
    ...query
  }: {
    readonly below?: string | undefined;
    readonly codes?: readonly string[] | undefined;
    readonly count?: "1" | undefined;
    readonly labels?: Language | undefined;
  } & Omit<FacetOptions, "sort" | "view" | "group" | "limit" | "fields" | "highlight"> = {}): Promise<
    SubjectEntry[]
  > {
    return this.#get("subjects", { ...query, codes: codes?.join(",") });
  }

  translations(): Promise<Translations> {
    return this.#get("translations");
  }

  /**
   * Returns the label of a code, such as `label("BC", "spa")`. A code that several lists have needs the category of
   * `/api/translations`: `label("01", "eng", "product_availability")`. Returns undefined for an unknown code.
   */
  async label(code: string, language: Language, category?: string): Promise<string | undefined> {
    return labelOf(await this.translations(), code, language, category);
  }

  /**
   * Returns a copy of a record in which each code is an object with its code and its label. Codes that are not in the
   * list of their field have no label.
   */
  async describe(book: Book, language: Language): Promise<DescribedTree<Book>> {
    return describeFields(book, await this.translations(), language) as unknown as DescribedTree<Book>;
  }

  /** Lists the changes since a cursor or, without one, the whole catalog. It ends when there are no more. */
  changes<V extends View = "record">(options: ChangesOptions & ViewOptions<V> = {}): Changes<Shaped<V>> {
    return new Changes(this.#transport, options);
  }

  /**
   * Keeps a copy of the catalog up to date, in a folder or in what a `MirrorTarget` writes to. A first call loads the
   * whole catalog, a later one only what has changed.
   */
  mirror<V extends View = "record">(
    target: string | MirrorTarget<Shaped<V>>,
    options: MirrorOptions & ViewOptions<V> = {},
  ): Promise<MirrorResult> {
    return mirror(this.#transport, typeof target === "string" ? new FolderTarget(target) : target, options);
  }

  /** Returns undefined for a 404 with this message: another one is of a wrong URL. */
  async #find<T>(path: string, message: string, query: Query = {}): Promise<T | undefined> {
    try {
      return await this.#get<T>(path, query);
    } catch (error) {
      const isMissing =
        error instanceof ColophonError && error.status === NOT_FOUND && error.problem.message === message;
      if (isMissing) return undefined;
      throw error;
    }
  }

  async #get<T>(path: string, query: Query = {}): Promise<T> {
    return (await this.#transport.get<T>(this.#transport.urlOf(path, query))).body;
  }
}
