/** Every answer that the API has to give of a catalog, to be held against those of another file. */

export interface FetchResult {
  /** "failed": an error that says so, or a connection that broke off. Anything else is an answer, right or wrong. */
  readonly outcome: "answered" | "failed";
  readonly body: string;
}

export type Path = string;
export type Responses = ReadonlyMap<Path, FetchResult>;

/** The paths that reach every record and every list, in every way. */
export async function allPaths(url: string, token: string): Promise<readonly Path[]> {
  const isbns = JSON.parse((await fetchPath(url, token, "/api/skus")).body) as string[];
  const imprints = JSON.parse((await fetchPath(url, token, "/api/imprints")).body) as { slug: string }[];
  return [
    "/api/skus",
    "/api/imprints",
    "/api/translations",
    "/api/news?date=19000101",
    `/api/isbns/${isbns.join(",")}`,
    ...imprints.flatMap(({ slug }) => [`/api/imprint/${slug}`, `/api/imprint/${slug}?language=spa`]),
    ...isbns.map((isbn) => `/api/isbn/${isbn}`),
  ];
}

export async function fetchAll(url: string, token: string, asked: readonly Path[]): Promise<Responses> {
  const answers = new Map<Path, FetchResult>();
  for (let at = 0; at < asked.length; at += 16) {
    const some = asked.slice(at, at + 16);
    const given = await Promise.all(some.map((path) => fetchPath(url, token, path)));
    for (const [place, path] of some.entries()) answers.set(path, given[place]!);
  }
  return answers;
}

async function fetchPath(url: string, token: string, path: string): Promise<FetchResult> {
  try {
    const response = await fetch(url + path, { headers: { Authorization: `Bearer ${token}` } });
    const body = await response.text();
    return { outcome: response.status >= 500 ? "failed" : "answered", body };
  } catch (error) {
    return { outcome: "failed", body: String(error) };
  }
}
