/** The request of an operation: its URL, its header fields, and the same as a curl command. */
import type { Endpoint } from "./document.ts";

/** The values of parameters by name. An empty one is not sent. */
export type Values = Readonly<Record<string, string>>;

export interface ApiRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns the parameters without a value that the path needs. */
export function missingParameters({ operation }: Endpoint, values: Values): readonly string[] {
  return operation.parameters
    .filter(({ name, required }) => required && !values[name])
    .map(({ name }) => name);
}

/** `base` is the root of the service: the page works below a path prefix of a reverse proxy. */
export function requestOf(
  { path, operation }: Endpoint,
  values: Values,
  token: string,
  base: URL,
): ApiRequest {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeSegment(values[name] ?? ""));
  const url = new URL(filled.slice(1), base);
  for (const { name, in: place } of operation.parameters)
    if (place === "query" && values[name]) url.searchParams.append(name, values[name]);
  return {
    url: url.href,
    // The parameter `format` names the other formats.
    headers: { Accept: "application/json", ...(token && { Authorization: `Bearer ${token}` }) },
  };
}

/** RFC 3986 §3.3 allows a comma in a segment. A list of ISBNs stays readable with it. */
function encodeSegment(value: string): string {
  return encodeURIComponent(value).replaceAll("%2C", ",");
}

export function curlCommand({ url, headers }: ApiRequest): string {
  const fields = Object.entries(headers).map(([name, value]) => `  -H ${quote(`${name}: ${value}`)} \\\n`);
  return `curl --compressed \\\n${fields.join("")}  ${quote(url)}`;
}

/** Quotes for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
