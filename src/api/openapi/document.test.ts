import { describe, expect, test } from "bun:test";
import Ajv2020 from "ajv/dist/2020";
import { SQLITE } from "../../stores/testing/engines.ts";
import { ERRORS } from "../errors.ts";
import { RateLimit } from "../rate/rate-limit.ts";
import { ROUTES } from "../routes.ts";
import { createTestApi } from "../testing/api.ts";
import { JsonSchemaCompiler } from "../testing/response-validator.ts";
import { type ExpectedResponse, expectGet } from "../testing/shared-api.ts";
import { openApiDocument } from "./document.ts";

const text = JSON.stringify(openApiDocument({ version: "1.2.3", codeListIssue: 71 }));
// biome-ignore lint/suspicious/noExplicitAny: the tests read many members of the parsed document.
const document: any = JSON.parse(text);

/** Follows a reference into the components. */
function resolve<T>(node: T): T {
  const reference = (node as { $ref?: string }).$ref;
  if (reference === undefined) return node;
  let target = document;
  for (const part of reference.split("/").slice(1)) target = target[part];
  return target;
}

const operations: [string, { [name: string]: never }][] = Object.entries(document.paths).map(
  ([path, item]) => [path, (item as { get: never }).get],
);

describe("the OpenAPI document", () => {
  test("describes the endpoints of the table of routes, and nothing else", () => {
    expect(Object.keys(document.paths)).toEqual(ROUTES.map(({ path }) => path));
    const specified = [
      "imprint/{imprint}",
      "imprints",
      "isbn/{isbn}",
      "isbns/{isbns}",
      "news",
      "skus",
      "translations",
    ];
    for (const path of specified) expect(Object.keys(document.paths)).toContain(`/api/${path}`);
  });

  test("states the version and the issue of the code lists", () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info.version).toBe("1.2.3");
    expect(document.info.description).toContain("issue 71");
  });

  test("requires a bearer token for every operation", () => {
    expect(document.components.securitySchemes.bearer).toEqual({
      type: "http",
      scheme: "bearer",
      bearerFormat: "JWT",
    });
    expect(document.security).toEqual([{ bearer: [] }]);
    for (const [, operation] of operations) expect(operation.security).toBeUndefined();
  });

  test("has a server URL that works behind a path prefix", () => {
    const [{ url }] = document.servers;
    expect(new URL(url, "https://host/prefix/openapi.json").pathname).toBe("/prefix/");
  });

  test.each(operations)(
    "describes %s: tag, parameters with examples, every status with content",
    (path, operation) => {
      // biome-ignore lint/suspicious/noExplicitAny: see above.
      const { tags, summary, description, parameters, responses, operationId } = operation as any;
      expect(document.tags.map(({ name }: { name: string }) => name)).toContain(tags[0]);
      for (const text of [summary, description, operationId]) expect(text).toBeString();
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
      for (const { name, in: location, required, example, schema, description } of parameters) {
        expect(required).toBe(location === "path");
        if (location === "path") expect(names).toContain(name);
        expect(description).toBeString();
        // The OpenAPI page fills in the example of a parameter, which an optional one must not have.
        expect([name, typeof example]).toEqual([name, required ? "string" : "undefined"]);
        if (required) expect(new Ajv2020().validate(schema, example)).toBe(true);
      }
      expect(parameters.filter((parameter: { in: string }) => parameter.in === "path")).toHaveLength(
        names.length,
      );
      const expected = [200, 304, 400, 401, 405, 406, 408, 414, 429, 431, 500, 503, 505].map(String);
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(expected));
      expect(Object.hasOwn(responses, "404")).toBe(path.includes("{"));
      for (const [status, response] of Object.entries<{ description: string; content?: object }>(responses)) {
        const { description, content } = resolve(response);
        expect(description).toBeString();
        if (status !== "304") expect(content).toBeDefined();
      }
    },
  );

  test.each(operations)(
    "describes the header fields of %s, and which of them errors always have",
    (_, operation) => {
      // biome-ignore lint/suspicious/noExplicitAny: see above.
      const { responses } = operation as any;
      for (const [status, response] of Object.entries<{ headers: Record<string, { required?: boolean }> }>(
        responses,
      )) {
        const { headers } = resolve(response);
        const isRequired = (name: string) =>
          name in headers ? resolve(headers[name]!).required === true : false;
        expect([status, isRequired("X-Request-Id")]).toEqual([status, Number(status) >= 400]);
        expect([status, isRequired("ETag")]).toEqual([status, Number(status) < 400]);
        expect(Object.keys(headers)).toEqual(
          expect.arrayContaining(["Cache-Control", "Vary", "RateLimit", "RateLimit-Policy"]),
        );
        expect(isRequired("Retry-After")).toBe(status === "429" || status === "503");
        expect(isRequired("WWW-Authenticate")).toBe(status === "401");
        expect(isRequired("Allow")).toBe(status === "405");
      }
    },
  );

  test("describes OPTIONS of every endpoint, which needs no token", () => {
    for (const [path, item] of Object.entries<{ options: Record<string, never> }>(document.paths)) {
      const { security, parameters, responses } = item.options;
      expect(security).toEqual([] as never);
      // biome-ignore lint/suspicious/noExplicitAny: see above.
      expect((parameters as any).map(({ in: location }: { in: string }) => location)).toEqual(
        path.includes("{") ? ["path"] : [],
      );
      const { headers } = resolve<{ headers: Record<string, unknown> }>(responses!["204"]!);
      expect(Object.keys(headers)).toEqual(expect.arrayContaining(["Allow", "Access-Control-Allow-Methods"]));
    }
  });

  test("has only examples that match their schema", () => {
    const schemas = new JsonSchemaCompiler(document);
    let examples = 0;
    const check = (pointer: string, value: unknown) => {
      examples++;
      const validate = schemas.compile(pointer);
      expect([pointer, validate(value), validate.errors]).toEqual([pointer, true, null]);
    };
    const componentOf = (ref: string) => document.components.examples[ref.split("/").at(-1)!];
    const visit = (node: unknown, pointer: string) => {
      if (typeof node !== "object" || node === null) return;
      const media = node as {
        schema?: unknown;
        example?: unknown;
        examples?: Record<string, { value: unknown } | { $ref: string }>;
      };
      if (media.schema && "example" in media) check(`${pointer}/schema`, media.example);
      if (media.schema && media.examples) {
        for (const example of Object.values(media.examples)) {
          const { value } = "$ref" in example ? componentOf(example.$ref) : example;
          check(`${pointer}/schema`, value);
        }
      }
      for (const [name, child] of Object.entries(node)) {
        visit(child, `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
      }
    };
    visit(document.paths, "#/paths");
    visit(document.components.responses, "#/components/responses");
    expect(examples).toBeGreaterThan(60);
  });

  test("documents every status and message of the table of errors", () => {
    const text = JSON.stringify(document);
    const documented = new Set(
      operations.flatMap(([, operation]) => Object.keys(operation.responses as unknown as object)),
    );
    for (const { status, message } of Object.values(ERRORS)) {
      expect(documented).toContain(String(status));
      expect(text).toContain(message);
    }
  });
});

test("the OpenAPI document describes the fields of a rate limit as they are sent", async () => {
  const rateLimit = new RateLimit({ requests: 3, seconds: 3600 });
  // The API of the tests compares each response with the document.
  await using api = await createTestApi(SQLITE, { rateLimit });
  for (const [path, status, left] of [
    ["/api/skus", 200, 2],
    ["/api/isbn/x", 400, 1],
    ["/api/imprint/nobody", 404, 0],
    ["/api/skus", 429, 0],
  ] as const) {
    const { status: received, headers } = await api.get(path);
    expect([path, received]).toEqual([path, status]);
    expect(headers.get("RateLimit")).toStartWith(`"default";r=${left};t=`);
    expect(headers.get("RateLimit-Policy")).toBe('"default";q=3;w=3600');
  }
});

describe("GET /openapi.json and /openapi.html", () => {
  const body = new TextEncoder().encode("<!doctype html>".repeat(200));
  const pages = new Map([
    [
      "/openapi.html",
      {
        body,
        type: "text/html; charset=utf-8",
        etag: "abc",
        headers: { "Content-Security-Policy": "default-src 'none'" },
      },
    ],
  ]);

  test("needs no token, and supports validators and compression", async () => {
    await using api = await createTestApi(SQLITE, { pages });
    for (const [path, type] of [
      ["/openapi.json", "application/json"],
      ["/openapi.html", "text/html; charset=utf-8"],
    ] as const) {
      const get = (expected: ExpectedResponse, headers: Record<string, string>) =>
        expectGet(api, path, expected, { token: null, headers });
      const cached = { "cache-control": "no-cache" };
      const common = { "content-type": type, "x-content-type-options": "nosniff", ...cached };
      const plain = await get({ headers: common }, { Accept: "text/html" });
      const br = { "Accept-Encoding": "br" };
      const encoded = await get({ headers: { "content-encoding": "br" }, text: plain.text }, br);
      const tag = encoded.headers.get("etag")!;
      expect(tag).not.toBe(plain.headers.get("etag"));
      await get({ status: 304, headers: cached }, { ...br, "If-None-Match": tag });
    }
    const page = await api.get("/openapi.html", { token: null });
    expect(page.headers.get("content-security-policy")).toBe("default-src 'none'");
    expect(page.headers.get("etag")).toBe('"abc"');
  });
});

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

// Linters and generators of clients have complained about these. `scripts/lint-openapi.ts` runs them.
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
