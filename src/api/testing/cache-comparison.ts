/** Compares the API with a response cache and without one, on the same store, while the catalog changes. */

import fc from "fast-check";
import type { Entry } from "../../catalog/store.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { importBooks } from "../../stores/testing/books.ts";
import { SQLITE } from "../../stores/testing/engines.ts";
import { type ApiResponse, createTestApi, GENERATED_ID, type TestApp } from "./api.ts";
import { BOOKS, entryOf, type TestBook, UNKNOWN_ISBN } from "./books.ts";
import { testPaths } from "./example-paths.ts";

type Step =
  | {
      readonly kind: "get";
      readonly path: string;
      readonly accept: string;
      readonly coding: string;
      readonly validates: boolean;
    }
  | { readonly kind: "put"; readonly book: number; readonly title: string; readonly reference: string }
  | { readonly kind: "remove"; readonly book: number };

const ISBNS = [...BOOKS.map(({ isbn }) => isbn), UNKNOWN_ISBN];
const path = fc.constantFrom(
  ...ISBNS.slice(0, 4).map((isbn) => `/api/isbn/${isbn}`),
  `/api/isbn/${UNKNOWN_ISBN}`,
  `/api/isbns/${ISBNS.slice(0, 3).join(",")}`,
  `/api/isbns/${ISBNS.slice(0, 2).join(",")},${UNKNOWN_ISBN}?missing=skip`,
  "/api/skus?limit=2",
  "/api/search?q=one",
  "/api/search?imprint=zeta&sort=title&limit=1&view=record",
  "/api/facets?q=la",
  "/api/news?date=20260101&limit=1",
  "/api/imprint/zeta?limit=1",
  ...testPaths(),
  "/api/imprint/10-18?language=fre",
  "/api/news?date=20260101",
  `/api/isbn/${ISBNS[0]}?format=xml`,
  "/api/imprint/zeta?format=xml",
  "/api/imprint/zeta?format=csv",
);
const bookNumber = fc.nat(BOOKS.length - 1);

/** Requests are repeated often, because the cache stores a response at its second request. */
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant("get" as const),
        path,
        accept: fc.constantFrom("*/*", "*/*", "*/*", "text/csv", "application/xml"),
        coding: fc.constantFrom("identity", "identity", "gzip", "zstd", "br"),
        validates: fc.boolean(),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("put" as const),
        book: bookNumber,
        title: fc.constantFrom("One", "Two"),
        reference: fc.constantFrom("a", "b"),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const), book: bookNumber }) },
  ),
  { minLength: 20, maxLength: 80 },
);

/** Runs sequences of requests and imports. Returns the number of responses that came from the cache's app. */
export async function compareCaches(parameters: fc.Parameters<unknown>): Promise<number> {
  await using cached = await createTestApi(SQLITE, { cacheBytes: 100_000 });
  const uncached = await cached.withOptions({ cacheBytes: 0 });
  let responses = 0;
  const property = fc.asyncProperty(steps, async (sequence) => {
    const etags = new Map<string, string>();
    for (const step of sequence) {
      if (step.kind === "get") {
        const { path, accept, coding, validates } = step;
        const key = `${path} ${accept} ${coding}`;
        const etag = validates ? etags.get(key) : undefined;
        responses++;
        const headers = {
          Accept: accept,
          "Accept-Encoding": coding,
          ...(etag !== undefined && { "If-None-Match": etag }),
        };
        const response = await compareResponses(cached, uncached, path, headers);
        const newEtag = response.headers.get("etag");
        if (newEtag !== null) etags.set(key, newEtag);
      } else await change(cached, step);
    }
  });
  await fc.assert(property, parameters as fc.Parameters<[readonly Step[]]>);
  return responses;
}

async function change({ store }: TestApp, step: Exclude<Step, { kind: "get" }>): Promise<void> {
  const book: TestBook = BOOKS[step.book]!;
  const put: Entry[] =
    step.kind === "put" ? [{ ...entryOf({ ...book, title: step.title }), reference: step.reference }] : [];
  await importBooks(store, put, step.kind === "remove" ? [book.isbn as Isbn13] : []);
}

async function compareResponses(
  cached: TestApp,
  uncached: TestApp,
  path: string,
  headers: Record<string, string>,
): Promise<ApiResponse> {
  const response = await cached.get(path, { headers, token: cached.token });
  const expected = await uncached.get(path, { headers, token: cached.token });
  const [found, wanted] = [contentOf(response), contentOf(expected)];
  if (found !== wanted)
    throw new Error(`${path} ${JSON.stringify(headers)}: from the cache ${found}, without it ${wanted}`);
  return response;
}

/** Leaves out the framing: a cached list has a Content-Length, and a streamed one has not. Each error has its own id. */
function contentOf({ status, headers, body }: ApiResponse): string {
  const fields = [...headers]
    .filter(([name]) => !/^(content-length|transfer-encoding)$/.test(name))
    .map(([name, value]) => [name, GENERATED_ID.test(value) ? "generated" : value]);
  return JSON.stringify([status, fields.sort(), Buffer.from(body).toString("base64")]);
}
