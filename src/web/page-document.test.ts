import { expect, test } from "bun:test";
// @ts-expect-error: a script of the page has no types.
import { componentsOf, pageDocument } from "./page-document.js";

const document = {
  servers: [{ url: "." }],
  paths: {
    "/api/isbn/{isbn}": {
      get: {
        parameters: [
          { name: "isbn", in: "path", required: true, example: "1" },
          { name: "imprint", in: "query", required: false },
        ],
        responses: {
          "200": {
            content: {
              "application/json": {
                schema: {
                  oneOf: [{ $ref: "#/components/schemas/Book" }, { $ref: "#/components/schemas/Other" }],
                },
                example: { of: "document" },
              },
              "text/csv": { schema: { type: "string" } },
            },
          },
        },
      },
      options: {},
    },
  },
  components: {
    schemas: {
      Book: { properties: { Price: { $ref: "#/components/schemas/Price" } } },
      Price: { properties: { Price: { $ref: "#/components/schemas/Price" } } },
      Other: { type: "object" },
      Translations: { description: "Labels.", properties: { languages: {} } },
    },
    responses: {},
  },
};

test("pageDocument leaves out OPTIONS, other formats and long components, and keeps the document", () => {
  const page = pageDocument(document, "https://host/prefix/", undefined);
  expect(Object.keys(page.components.schemas)).toEqual(["Other", "Translations", "Book"]);
  expect(page.components.schemas.Translations).toEqual({ type: "object", description: "Labels." });
  const { get, ...others } = page.paths["/api/isbn/{isbn}"];
  expect(others).toEqual({});
  expect(Object.keys(get.responses["200"].content)).toEqual(["application/json"]);
  expect(get.parameters).toEqual(document.paths["/api/isbn/{isbn}"].get.parameters);
  expect(page.servers).toEqual([{ url: "https://host/prefix" }]);
  expect([...componentsOf(document.components.schemas, "Book")]).toEqual(["Book", "Price"]);
});

test("pageDocument puts examples of the catalog into required parameters and responses", () => {
  const record = { of: "catalog" };
  const parameters = { isbn: "2", imprint: "zeta" };
  const page = pageDocument(document, "https://host/", { parameters, record });
  const { get } = page.paths["/api/isbn/{isbn}"];
  expect(get.parameters[0].example).toBe("2");
  expect(get.parameters[1]).toEqual({ name: "imprint", in: "query", required: false });
  expect(get.responses["200"].content["application/json"].example).toEqual(record);
  expect(document.paths["/api/isbn/{isbn}"].get.parameters[0]!.example).toBe("1");
});
