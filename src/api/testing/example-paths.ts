/** Paths of all endpoints, made from the table of routes: a new endpoint is in every test that goes through them. */
import type { Route } from "../route.ts";
import { ROUTES } from "../routes.ts";
import { BOOKS } from "./books.ts";

/**
 * Returns a path for each endpoint, without a query. `values` are those of path parameters; without one, the path has
 * the example of the OpenAPI document, which the sample catalog has. `filter` chooses the routes.
 */
export function examplePaths(
  values: Readonly<Record<string, string>> = {},
  filter: (route: Route) => unknown = () => true,
): readonly string[] {
  return ROUTES.filter(filter).map(({ path, parameters }) =>
    path.replace(/\{(\w+)\}/, (_, name: string) => values[name] ?? parameters[name]!.example!),
  );
}

const [FIRST, SECOND] = BOOKS.map(({ isbn }) => isbn);

/** The paths of all endpoints with `BOOKS`: each is a 200. */
export function testPaths(filter?: (route: Route) => unknown): readonly string[] {
  return examplePaths({ isbn: FIRST!, isbns: `${FIRST},${SECOND}`, imprint: "zeta" }, filter);
}
