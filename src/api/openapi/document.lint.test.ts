/** The rules of linters and generators of clients that the document has broken before. `scripts/lint-openapi.ts` runs them. */
import { describe, expect, test } from "bun:test";
import { openApiDocument } from "./document.ts";

const text = JSON.stringify(openApiDocument({ version: "0", codeListIssue: 0 }));
// biome-ignore lint/suspicious/noExplicitAny: the tests read many members of the parsed document.
const document: any = JSON.parse(text);

/** Calls `visit` with each object of the document and its path. Examples are data, and not visited. */
function visitObjects(visit: (node: Record<string, unknown>, path: string) => void): void {
  const walk = (node: unknown, path: string) => {
    if (typeof node !== "object" || node === null) return;
    if (!Array.isArray(node)) visit(node as Record<string, unknown>, path);
    for (const [name, child] of Object.entries(node)) {
      if (!/^examples?$/.test(name)) walk(child, `${path}/${name}`);
    }
  };
  walk(document, "");
}

describe("the OpenAPI document", () => {
  test("refers to every component, and only to those that exist", () => {
    const used = new Set(Array.from(text.matchAll(/"#\/components\/([^"]+)"/g), ([, name]) => name!));
    const { securitySchemes: _, ...components } = document.components;
    const defined = Object.entries<object>(components).flatMap(([kind, members]) =>
      Object.keys(members).map((name) => `${kind}/${name}`),
    );
    expect([...used].sort()).toEqual(defined.sort());
  });

  test("has the items of every array, and several parts in every allOf", () => {
    const wrong: string[] = [];
    visitObjects((node, path) => {
      if (path.endsWith("/properties")) return;
      if ([node.type].flat().includes("array") && node.items === undefined) wrong.push(path);
      if (Array.isArray(node.allOf) && node.allOf.length < 2) wrong.push(path);
    });
    expect(wrong).toEqual([]);
  });

  test("has no patterns beside properties, which would be an index signature in a generated client", () => {
    const wrong: string[] = [];
    visitObjects((node, path) => {
      if (!node.properties || path.endsWith("/properties")) return;
      if (node.patternProperties || typeof node.additionalProperties === "object") wrong.push(path);
    });
    expect(wrong).toEqual([]);
  });

  test("has an absolute address of further documentation, or none", () => {
    visitObjects(({ externalDocs }) => {
      if (externalDocs) expect((externalDocs as { url: string }).url).toMatch(/^https?:/);
    });
    const { content } = document.paths["/api/search"].get.responses[200];
    expect(content["application/json"].example[0].title).toBeString();
    expect(content["application/x-ndjson"].examples.Example.$ref).toEndWith("summaries-ndjson");
  });

  test("names a contact and a licence, and gives every operation an id of its own", () => {
    expect(Object.keys(document.info)).toEqual(expect.arrayContaining(["contact", "license", "description"]));
    const ids: string[] = [];
    visitObjects(({ operationId }) => typeof operationId === "string" && ids.push(operationId));
    expect(new Set(ids).size).toBe(ids.length);
  });
});
