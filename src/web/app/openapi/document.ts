/** The OpenAPI document as far as the page reads it. `src/api/openapi/` makes it, so that its shape is known. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly "x-onix-list"?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly example?: string;
}

export interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Reference | { readonly value: unknown }>>;
}

export interface Header {
  readonly description?: string;
}

export interface DocumentedResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference | Header>>;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, Reference | DocumentedResponse>>;
}

export interface ApiDocument {
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
  };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Reference {
  readonly $ref: string;
}

/** Returns an object of the document: `value` itself, or what it refers to, as `#/components/headers/ETag`. */
export function resolve<T extends object>(document: ApiDocument, value: T | Reference): T {
  if (!("$ref" in value) || typeof value.$ref !== "string") return value as T;
  let found: unknown = document;
  for (const name of value.$ref.slice(2).split("/"))
    found = (found as Record<string, unknown>)[name.replaceAll("~1", "/").replaceAll("~0", "~")];
  return found as T;
}

/** Returns the name of the component that a schema refers to. */
export function componentOf({ $ref }: Schema): string | undefined {
  return $ref?.split("/").pop();
}

export interface Endpoint {
  readonly path: string;
  readonly operation: Operation;
}

interface Category {
  readonly name: string;
  readonly description: string;
  readonly endpoints: readonly Endpoint[];
}

/** Returns the endpoints by their tags, in the order of the document. */
export function categoriesOf({ tags, paths }: ApiDocument): readonly Category[] {
  const endpoints = Object.entries(paths).map(([path, { get }]) => ({ path, operation: get }));
  return tags.map(({ name, description }) => ({
    name,
    description,
    endpoints: endpoints.filter(({ operation }) => operation.tags.includes(name)),
  }));
}
