/** The parameters of a request that its route does not have. They are ignored, and the response names them. */
import { type ApiError, badRequest } from "../errors.ts";
import type { Parameter } from "./parameter.ts";
import type { Query } from "./query.ts";

const MAX_NAMES = 10;
const MAX_BYTES = 200;
/** Ends a list that does not have all names. */
const MORE = "...";

interface KnownParameters {
  readonly allParameters: Readonly<Record<string, Pick<Parameter, "in">>>;
  /** The right names of parameters that other routes have under another name. */
  readonly misnamed?: Readonly<Record<string, string>>;
}

/** Returns the header line, an empty text when nothing is ignored, or the error for a name that other routes have. */
export function ignoredParameters(query: Query, route: KnownParameters): string | ApiError {
  const names: string[] = [];
  for (const name of query.names()) {
    if (name === "" || isInQuery(route, name)) continue;
    if (route.misnamed && Object.hasOwn(route.misnamed, name))
      return misnamedParameter(name, route.misnamed[name]!);
    names.push(name);
    if (names.length > MAX_NAMES) break;
  }
  return names.length === 0 ? "" : `X-Ignored-Parameters: ${listOf(names)}\r\n`;
}

/** A parameter of the path is none of the query. */
function isInQuery({ allParameters }: KnownParameters, name: string): boolean {
  return Object.hasOwn(allParameters, name) && allParameters[name]!.in === "query";
}

export function misnamedParameter(name: string, right: string): ApiError {
  return badRequest(`The parameter ${name} is called ${right} here; send its value as ${right}.`);
}

function listOf(names: readonly string[]): string {
  const items: string[] = [];
  let bytes = 0;
  for (const name of names.slice(0, MAX_NAMES)) {
    if (name.length > MAX_BYTES) break;
    const item = encodeURIComponent(name.toWellFormed());
    // The comma and the space before it, and what ends a list that was cut.
    bytes += item.length + 2;
    if (bytes > MAX_BYTES - MORE.length) break;
    items.push(item);
  }
  if (items.length < names.length) items.push(MORE);
  return items.join(", ");
}
