import { examplePaths } from "../../src/api/testing/example-paths.ts";
import type { ServeProcess } from "../process.ts";
import { fetchAs } from "../process.ts";

/** Returns paths of every endpoint and of errors, for a server with the sample catalog. */
export async function mixingPaths(server: ServeProcess): Promise<readonly string[]> {
  const isbns = (await (await fetchAs(server.token, `${server.url}/api/skus`)).json()) as string[];
  const some = isbns.slice(0, 12);
  return [
    ...some.map((isbn) => `/api/isbn/${isbn}`),
    `/api/isbns/${some.join(",")}`,
    `/api/isbns/${isbns.slice(0, 100).join(",")}`,
    ...examplePaths(),
    "/api/imprint/ancla-azul",
    "/api/news?date=20200101",
    "/api/search?q=la",
    "/api/search?language=spa&sort=title&limit=5&view=record",
    "/api/facets?q=la",
    "/api/suggest?q=la",
    "/api/search?lacks=cover",
    "/api/changes?view=record&limit=20",
    "/api/isbn/9788400000004",
    "/api/isbn/x",
    "/api/skus?unauthorized",
    "/nothing",
  ];
}
