/** A row of the table of endpoints. */
import type { Format } from "../catalog/formats/format.ts";
import type { SearchClient } from "../catalog/search/search.ts";
import type { ReadableStore } from "../catalog/store.ts";
import type { SubjectReader } from "../catalog/subjects/subject-labels.ts";
import type { Awaitable } from "../lib/awaitable.ts";
import type { Day } from "../onix/date.ts";
import type { ApiError } from "./errors.ts";
import { type FormatChoice, formatParameters } from "./formats/format-choice.ts";
import type { FoundHeader } from "./openapi/header-objects.ts";
import type { Schema } from "./openapi/json-schema.ts";
import type { ListTotals } from "./paging/page.ts";
import { ParameterReader, type RouteParameters, type Values } from "./parameters/parameter.ts";
import type { StaticContent } from "./response/content-coding.ts";
import type { EndpointResult } from "./response/responder.ts";
import type { NewestLabels } from "./search/newest-labels.ts";

export const TAGS = {
  Books: "Books by their ISBN.",
  Search: "Books by their words and properties.",
  Imprints: "The imprints of the catalog, and the books of one.",
  News: "Books by their day of publication.",
  Catalog: "What the catalog has.",
  Translations: "Labels for codes.",
} as const;

/** The data that endpoints respond with. */
export interface EndpointContext {
  readonly store: ReadableStore;
  readonly totals: ListTotals;
  readonly newestLabels: NewestLabels;
  readonly translations: StaticContent;
  readonly subjects: SubjectReader;
  /** Returns today's date in UTC. */
  readonly today: () => Day;
}

/** The client of a request, and the memory that its response may take. */
export interface EndpointCaller extends SearchClient {
  readonly key: string;
  /** Waits for the memory of a list. Returns the error when there is none. */
  takeListMemory(): Awaitable<ApiError | undefined>;
}

/** `values` are those of the parameters that the route declares. */
export type Endpoint<V = object> = (
  context: EndpointContext,
  values: V,
  /** Undefined for JSON. The result is converted later; an endpoint only reads what the format needs. */
  choice: FormatChoice | undefined,
  caller: EndpointCaller,
) => Awaitable<EndpointResult>;

interface RouteDeclaration<P extends RouteParameters> {
  readonly path: string;
  readonly id: string;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly description: string;
  /** In the order in which they are parsed: the first wrong one is the error. */
  readonly parameters: P;
  /** The 200 response. */
  readonly found: {
    readonly description: string;
    readonly schema: Schema;
    readonly example: unknown;
    /** The optional header fields of this endpoint alone. */
    readonly headers?: readonly FoundHeader[];
  };
  /** The right names of parameters that other endpoints have under another name, and whose values mean the same. */
  readonly misnamed?: Readonly<Record<string, string>>;
  /** The errors of this endpoint alone, by the title of the example. Those of single parameters are added. */
  readonly errors: Readonly<Record<string, ApiError>>;
  readonly endpoint: Endpoint<Values<P>>;
  /** The formats of the response, when there are others than JSON. Their parameters and errors are documented with it. */
  readonly formats?: readonly Format[];
  /** Set where the response is a list, which can be long. */
  readonly isList?: true;
  /** Set where the endpoint takes the memory of its list itself: searches that wait would hold it for long. */
  readonly takesListMemory?: true;
  /** Returns the memory that a request of the list takes beyond that of other lists. */
  readonly extraListBytes?: (values: Values<P>) => number;
  /**
   * Set where the response does not depend on the store, so that it is served when the store is down, and where it
   * depends on more than the revision.
   */
  readonly skipsCache?: true;
}

/** A route whose parameters are known by their names only. */
export interface Route extends Omit<RouteDeclaration<RouteParameters>, "endpoint" | "extraListBytes"> {
  /** Those of the declaration, and those of its formats. */
  readonly allParameters: RouteParameters;
  readonly reader: ParameterReader<RouteParameters>;
  endpoint(
    context: EndpointContext,
    values: Values<RouteParameters>,
    choice: FormatChoice | undefined,
    caller: EndpointCaller,
  ): Awaitable<EndpointResult>;
  extraListBytes?(values: Values<RouteParameters>): number;
}

/** The compiler checks that the endpoint takes the values that the parameters have. */
export function route<P extends RouteParameters>(declaration: RouteDeclaration<P>): Route {
  const { parameters, formats } = declaration;
  return {
    ...declaration,
    allParameters: { ...parameters, ...(formats && formatParameters(formats)) },
    reader: new ParameterReader<RouteParameters>(parameters),
  };
}
