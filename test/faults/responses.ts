/** Requests every path of a catalog, so that the responses of two files can be compared. */

import { examplePaths } from "../../src/api/testing/example-paths.ts";
import { fetchAs } from "../process.ts";

interface FetchResult {
  /** "failed" is a 5xx or an aborted response. Any other response is "responded", right or wrong. */
  readonly outcome: "responded" | "failed";
  readonly body: string;
}

export type Path = string;
export type Responses = ReadonlyMap<Path, FetchResult>;

const CONCURRENT_REQUESTS = 16;

/** Returns the paths that reach every record and every list. */
export async function allPaths(url: string, token: string): Promise<readonly Path[]> {
  const isbns = JSON.parse((await fetchPath(url, token, "/api/skus")).body) as string[];
  const imprints = JSON.parse((await fetchPath(url, token, "/api/imprints")).body) as { slug: string }[];
  return [
    // Those of the history change with each import.
    ...examplePaths({}, ({ skipsCache }) => !skipsCache),
    "/api/translations",
    "/api/news?date=19000101",
    "/api/search?limit=1000&view=record",
    "/api/search?q=la&limit=1000",
    `/api/isbns/${isbns.join(",")}`,
    ...imprints.flatMap(({ slug }) => [`/api/imprint/${slug}`, `/api/imprint/${slug}?language=spa`]),
    ...isbns.map((isbn) => `/api/isbn/${isbn}`),
  ];
}

export async function fetchAll(url: string, token: string, paths: readonly Path[]): Promise<Responses> {
  const responses = new Map<Path, FetchResult>();
  for (let start = 0; start < paths.length; start += CONCURRENT_REQUESTS) {
    const batch = paths.slice(start, start + CONCURRENT_REQUESTS);
    const results = await Promise.all(batch.map((path) => fetchPath(url, token, path)));
    for (const [index, path] of batch.entries()) responses.set(path, results[index]!);
  }
  return responses;
}

async function fetchPath(url: string, token: string, path: Path): Promise<FetchResult> {
  try {
    const response = await fetchAs(token, url + path);
    const body = await response.text();
    return { outcome: response.status >= 500 ? "failed" : "responded", body };
  } catch (error) {
    return { outcome: "failed", body: String(error) };
  }
}
