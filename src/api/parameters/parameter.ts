/**
 * Parameters of endpoints. A route declares each of them once: its kind of value, its description and its example.
 * Parsing, errors, the OpenAPI document and the types of the endpoint follow from the declaration.
 */
import { ApiError, type ErrorKind } from "../errors.ts";
import type { Schema } from "../openapi/json-schema.ts";
import { decodeSegment, type Query } from "./query.ts";

/** A kind of value: how a text is parsed, and what the OpenAPI document says about it. */
export interface Kind<Value> {
  /** Returns the value, or the error that says what to change. `name` is that of the parameter. */
  readonly parse: (text: string, name: string) => Value | ApiError;
  readonly schema: Schema;
  /** The ONIX list of a code. */
  readonly list?: number;
  /** Wrong values by the title of their example in the OpenAPI document. */
  readonly wrong?: Readonly<Record<string, string>>;
  /** Every error of the parameter is of this kind. Default: `badRequest`. */
  readonly error?: ErrorKind;
}

interface About {
  readonly description: string;
  /** Stands in the description of an optional parameter, which the OpenAPI page leaves empty. */
  readonly example?: string;
}

export interface Parameter<Value = unknown> extends About {
  readonly in: "path" | "query";
  readonly kind: Kind<unknown>;
  /** The value when the request does not have the parameter. */
  readonly default: Value | undefined;
  /** Set where the parameter can be repeated. Its value is a list then. */
  readonly maxValues?: number;
}

export type RouteParameters = Readonly<Record<string, Parameter>>;

/** What an endpoint receives for the parameters of its route. */
export type Values<P extends RouteParameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer Value> ? Value : never;
};

/** Declares a parameter of the query. Without `default`, its value is undefined when it is absent. */
export function inQuery<Value>(
  kind: Kind<Value>,
  about: About & { readonly default: NoInfer<Value> },
): Parameter<Value>;
export function inQuery<Value>(kind: Kind<Value>, about: About): Parameter<Value | undefined>;
export function inQuery<Value>(
  kind: Kind<Value>,
  about: About & { readonly default?: Value },
): Parameter<Value | undefined> {
  return { default: undefined, ...about, in: "query", kind };
}

/** Declares a parameter that can be repeated. Its values are in ascending order, each once. */
export function repeatable<Value extends string>(
  kind: Kind<Value>,
  about: About,
  maxValues: number,
): Parameter<readonly Value[] | undefined> {
  return { default: undefined, ...about, in: "query", kind, maxValues };
}

/** Declares the last segment of the path. */
export function inPath<Value>(kind: Kind<Value>, about: Required<About>): Parameter<Value> {
  return { ...about, in: "path", kind, default: undefined };
}

/** Parses all parameters of a route, in the order of their declaration. */
export class ParameterReader<P extends RouteParameters> {
  readonly #parameters: readonly (readonly [name: string, parameter: Parameter])[];
  readonly #defaults: Readonly<Record<string, unknown>>;

  constructor(parameters: P) {
    this.#parameters = Object.entries(parameters);
    this.#defaults = Object.fromEntries(this.#parameters.map(([name, { default: value }]) => [name, value]));
  }

  /** `segment` is the last segment of the path, as it was sent. */
  read(segment: string, query: Query): Values<P> | ApiError {
    const values: Record<string, unknown> = { ...this.#defaults };
    for (const [name, parameter] of this.#parameters) {
      const value =
        parameter.in === "path"
          ? parseOne(name, parameter, decodeSegment(segment))
          : readParameter(name, parameter, query);
      if (value instanceof ApiError) return value;
      values[name] = value;
    }
    return values as Values<P>;
  }
}

/** A repeated parameter is an error, unless it is declared so (decisions §10). */
export function readParameter<Value>(
  name: string,
  parameter: Parameter<Value>,
  query: Query,
): Value | ApiError {
  const given = query.values(name);
  const { maxValues } = parameter;
  if (given.length === 0) return parameter.default as Value;
  if (given.length > (maxValues ?? 1)) return givenTooOften(name, parameter);
  if (maxValues === undefined) return parseOne(name, parameter, given[0]);
  const values = new Set<unknown>();
  for (const text of given) {
    const value = parseOne(name, parameter, text);
    if (value instanceof ApiError) return value;
    values.add(value);
  }
  return [...values].sort() as Value;
}

/** `text` is undefined when it cannot be decoded. */
function parseOne<Value>(
  name: string,
  { kind }: Parameter<Value>,
  text: string | undefined,
): Value | ApiError {
  if (text !== undefined) return kind.parse(text, name) as Value | ApiError;
  const detail = `The percent-encoding of the parameter ${name} is broken; encode its UTF-8 as %XX.`;
  return new ApiError(kind.error ?? "badRequest", detail);
}

function givenTooOften(name: string, { kind, maxValues }: Parameter): ApiError {
  const times = maxValues === undefined ? "once" : `at most ${maxValues} times`;
  return new ApiError(kind.error ?? "badRequest", `Give the parameter ${name} ${times}.`);
}

/** Returns the errors of wrong values, and of a parameter that is given twice, by the titles of their examples. */
export function exampleErrors(parameters: RouteParameters): Readonly<Record<string, ApiError>> {
  const errors: Record<string, ApiError> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    for (const [title, text] of Object.entries(parameter.kind.wrong ?? {})) {
      const error = parameter.kind.parse(text, name);
      if (!(error instanceof ApiError))
        throw new Error(`${name}=${text} is the example of an error, and valid`);
      errors[title] ??= error;
    }
  }
  const inQuery = Object.entries(parameters).filter(([, parameter]) => parameter.in === "query");
  const [once] = inQuery.filter(([, { maxValues }]) => maxValues === undefined);
  const [limited] = inQuery.filter(([, { maxValues }]) => maxValues !== undefined);
  if (once) errors["Repeated parameter"] = givenTooOften(...once);
  if (limited) errors["Too many values"] = givenTooOften(...limited);
  return errors;
}
