import { RequestHeaders } from "../headers.ts";

/** Builds headers from names and values. */
export function requestHeaders(fields: Readonly<Record<string, string>>): RequestHeaders {
  const lines = Object.entries(fields).map(([name, value]) => `\r\n${name}: ${value}`);
  const headers = RequestHeaders.parse(lines.join(""));
  if (headers instanceof RequestHeaders) return headers;
  throw new RangeError(`The header fields are ${headers}`);
}
