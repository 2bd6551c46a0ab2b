import type { ApiResponse } from "./api.ts";

/** Returns the path of the next page, resolved as RFC 3986 §5.2 says. */
export function nextPath(path: string, { headers }: Pick<ApiResponse, "headers">): string | undefined {
  const link = headers.get("link");
  if (link === null) return undefined;
  const reference = /^<([^>]+)>; rel="next"$/.exec(link)![1]!;
  // As behind a proxy with a prefix.
  const url = new URL(reference, `https://host/prefix${path}`);
  return (url.pathname + url.search).replace(/^\/prefix/, "");
}
