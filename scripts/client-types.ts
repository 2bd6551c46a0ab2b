/** `npx bun scripts/client-types.ts`: writes the types of the client from the OpenAPI document. A test compares them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApiDocument } from "../src/api/openapi/document.ts";

export const TYPES_PATH = join(import.meta.dir, "../src/client/generated/book.ts");

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** Present where a feed may add members. */
  readonly unevaluatedProperties?: unknown;
}

/** The response bodies that the client returns, apart from the shapes that it makes itself. */
const ROOTS = [
  "Book",
  "Summary",
  "Work",
  "SummaryPart",
  "Facets",
  "Quality",
  "Suggestions",
  "SubjectEntry",
  "Import",
  "ImportDetails",
  "Origin",
];

/** Longer lists of codes are strings, which may also be in lower case. */
const MAX_LISTED_VALUES = 10;

interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
}

/** Returns the source text of the types. */
export function typesSource(): string {
  const document = JSON.parse(JSON.stringify(openApiDocument({ version: "0", codeListIssue: 0 })));
  const schemas = document.components.schemas as Readonly<Record<string, Schema>>;
  const names = new Set(ROOTS);
  const declarations: string[] = [];
  for (const name of names) declarations.push(declarationOf(name, schemas[name]!, names));
  declarations.push(queryDeclaration("SearchQuery", document.paths["/api/search"].get.parameters));
  return `/** The shapes of responses. Made by scripts/client-types.ts from the OpenAPI document. */

/** Attributes of elements, and elements that a feed repeats although ONIX does not: see docs/record.md. */
export interface ExtraMembers {
  readonly [name: \`\${string}@\${string}\` | \`\${string}#\${string}\`]: unknown;
}

${declarations.join("\n\n")}
`;
}

function declarationOf(name: string, schema: Schema, names: Set<string>): string {
  const comment = schema.description ? `/** ${schema.description.replaceAll("*/", "* /")} */\n` : "";
  if (!schema.properties) return `${comment}export type ${name} = ${typeOf(schema, names)};`;
  const heritage = schema.unevaluatedProperties === undefined ? "" : " extends ExtraMembers";
  return `${comment}export interface ${name}${heritage} ${membersOf(schema, names)}`;
}

function queryDeclaration(name: string, parameters: readonly Parameter[]): string {
  const members = parameters.map(({ name, description, schema }) => {
    const { items } = schema;
    const type = items ? `${valueTypeOf(items)} | readonly (${valueTypeOf(items)})[]` : valueTypeOf(schema);
    return `  /** ${description} */\n  readonly ${name}?: ${type};`;
  });
  return `export interface ${name} {\n${members.join("\n")}\n}`;
}

function valueTypeOf({ enum: values, ...schema }: Schema): string {
  return typeOf(
    values && values.length <= MAX_LISTED_VALUES ? { ...schema, enum: values } : schema,
    new Set(),
  );
}

function membersOf({ properties = {}, required = [] }: Schema, names: Set<string>): string {
  const members = Object.entries(properties).map(([key, value]) => {
    const name = /^\w+$/.test(key) ? key : JSON.stringify(key);
    return `  readonly ${name}${required.includes(key) ? "" : "?"}: ${typeOf(value, names)};`;
  });
  return `{\n${members.join("\n")}\n}`;
}

function typeOf(schema: Schema, names: Set<string>): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split("/").at(-1)!;
    names.add(name);
    return name;
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((each) => typeOf(each, names)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.properties) return membersOf(schema, names);
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return "unknown";
  return types.map((type) => simpleTypeOf(type, schema, names)).join(" | ");
}

function simpleTypeOf(type: string, { items, enum: values }: Schema, names: Set<string>): string {
  if (type === "array") return `readonly (${items ? typeOf(items, names) : "unknown"})[]`;
  if (type === "integer") return "number";
  if (type === "string" && values) return values.map((value) => JSON.stringify(value)).join(" | ");
  return type;
}

if (import.meta.main) writeFileSync(TYPES_PATH, typesSource());
