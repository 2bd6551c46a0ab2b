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
    },
    responses: {},
  },
};

test("pageDocument leaves out OPTIONS and the components of the record, and keeps the document", () => {
  const page = pageDocument(document, "https://host/prefix/", undefined);
  expect(Object.keys(page.components.schemas)).toEqual(["Book", "Other"]);
  expect(page.paths["/api/isbn/{isbn}"]).toEqual({ get: document.paths["/api/isbn/{isbn}"].get });
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
