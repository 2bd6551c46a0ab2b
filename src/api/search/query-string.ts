/** The query string of a request with many parameters, decoded in one pass. */
import { type ApiError, badRequest } from "../errors.ts";
import { brokenEncoding, decodeFormValue } from "../parameters.ts";

/**
 * Returns the values of the named parameters. Others are ignored. A repeated one, or one that cannot be decoded, is an
 * error (decisions §10).
 */
export function queryValuesByName<Name extends string>(
  query: string,
  names: readonly Name[],
): ReadonlyMap<Name, string> | ApiError {
  const values = new Map<Name, string>();
  if (query === "") return values;
  for (const pair of query.split("&")) {
    const equals = pair.indexOf("=");
    const name = decodeFormValue(equals < 0 ? pair : pair.slice(0, equals)) as Name;
    if (!names.includes(name)) continue;
    if (values.has(name)) return badRequest(`Give the parameter ${name} once.`);
    const value = equals < 0 ? "" : decodeFormValue(pair.slice(equals + 1));
    if (value === undefined) return brokenEncoding(`parameter ${name}`);
    values.set(name, value);
  }
  return values;
}
