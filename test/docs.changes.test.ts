/** Holds docs/changes.md against the API. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { DEFAULT_CHANGES } from "../src/api/changes/endpoint.ts";
import { ROUTES } from "../src/api/routes.ts";
import { KEEP_DELETIONS_DAYS } from "../src/catalog/changes/change-history.ts";

const page = await Bun.file(join(import.meta.dir, "../docs/changes.md")).text();

test("the page has the parameters of the endpoint, and its defaults", () => {
  const { parameters } = ROUTES.find(({ id }) => id === "getChanges")!;
  const table = page.slice(0, page.indexOf("| Member |"));
  const named = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(named).toEqual(Object.keys(parameters));
  expect(table).toContain(`Default: ${DEFAULT_CHANGES}.`);
  expect(page).toContain(`remembers deletions for ${KEEP_DELETIONS_DAYS} days`);
});
