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
  readonly minItems?: number;
  readonly maxItems?: number;
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

export function typesSource(): string {
  const document = JSON.parse(JSON.stringify(openApiDocument({ version: "0", codeListIssue: 0 })));
  const schemas = document.components.schemas as Readonly<Record<string, Schema>>;
  const names = new Set(ROOTS);
  const declarations: string[] = [];
  places.clear();
  const nameParts = membersOf(namePartsOf(schemas), names);
  for (const name of names) declarations.push(declarationOf(name, schemas, names));
  declarations.push(queryDeclaration("SearchQuery", document.paths["/api/search"].get.parameters));
  const isCodeList = (declaration: string) => /^export type List\d/m.test(declaration);
  return `/** The shapes of responses. Made by scripts/client-types.ts from the OpenAPI document. */

/** Attributes of elements, and elements that a feed repeats although ONIX does not: see docs/record.md. */
export interface ExtraMembers {
  readonly [name: \`\${string}@\${string}\` | \`\${string}#\${string}\`]: unknown;
}

/** The parts of a name: what the composites with a name have in common. */
export interface NameParts ${nameParts}

${declarations.filter((declaration) => !isCodeList(declaration)).join("\n\n")}

${declarations.filter(isCodeList).join("\n")}
`;
}

/** The composites that have a name of dozens of members. */
const NAMED = ["Contributor", "NameAsSubject", "AlternativeName"];

/** Returns an object of the members that all of them have. */
function namePartsOf(schemas: Readonly<Record<string, Schema>>): Schema {
  const [first, ...others] = NAMED.map((name) => schemas[name]!.properties!);
  const shared = Object.entries(first!).filter(([key, value]) =>
    others.every((properties) => Bun.deepEquals(properties[key], value)),
  );
  return { properties: Object.fromEntries(shared) };
}

/** Where an object without a name of its own stands first, such as `Import["counts"]`. */
const places = new Map<string, string>();
/** A shorter object is written again. */
const MIN_NAMED_MEMBERS = 3;

function declarationOf(name: string, schemas: Readonly<Record<string, Schema>>, names: Set<string>): string {
  const schema = schemas[name]!;
  const comment = schema.description ? `/** ${schema.description.replaceAll("*/", "* /")} */\n` : "";
  if (!schema.properties) return `${comment}export type ${name} = ${typeOf(schema, names)};`;
  // Composites of ONIX that are alike by chance are not derived from each other.
  const isComposite = schema.unevaluatedProperties !== undefined;
  const earlier = isComposite ? [] : [...names].slice(0, [...names].indexOf(name));
  const base = earlier.find((each) => isPart(schemas[each]!, schema));
  const isNamed = NAMED.includes(name);
  const heritage = base ?? (isComposite ? `ExtraMembers${isNamed ? ", NameParts" : ""}` : undefined);
  const common = isNamed ? namePartsOf(schemas) : base === undefined ? {} : schemas[base]!;
  const own = withoutMembers(schema, common);
  return `${comment}export interface ${name}${heritage ? ` extends ${heritage}` : ""} ${membersOf(own, names, name)}`;
}

/** Returns whether an object has all members of another one, as they are there. */
function isPart({ properties: some, required = [] }: Schema, whole: Schema): boolean {
  return Object.entries(some ?? { "": {} }).every(
    ([key, value]) =>
      Bun.deepEquals(whole.properties?.[key], value) &&
      required.includes(key) === (whole.required ?? []).includes(key),
  );
}

function withoutMembers(schema: Schema, { properties: left = {} }: Schema): Schema {
  const others = Object.entries(schema.properties ?? {}).filter(([key]) => !Object.hasOwn(left, key));
  return { ...schema, properties: Object.fromEntries(others) };
}

function queryDeclaration(name: string, parameters: readonly Parameter[]): string {
  const members = parameters.map(({ name, description, schema }) => {
    const { items } = schema;
    const type = items ? `${valueTypeOf(items)} | readonly (${valueTypeOf(items)})[]` : valueTypeOf(schema);
    return `  /** ${description} */\n  readonly ${name}?: ${type} | undefined;`;
  });
  return `export interface ${name} {\n${members.join("\n")}\n}`;
}

function valueTypeOf({ enum: values, ...schema }: Schema): string {
  return typeOf(
    values && values.length <= MAX_LISTED_VALUES ? { ...schema, enum: values } : schema,
    new Set(),
  );
}

function membersOf({ properties = {}, required = [] }: Schema, names: Set<string>, place?: string): string {
  const members = Object.entries(properties).map(([key, value]) => {
    const name = /^\w+$/.test(key) ? key : JSON.stringify(key);
    const isRequired = required.includes(key);
    // The type of an optional member has `undefined`.
    const inner = place && isRequired ? `${place}[${JSON.stringify(key)}]` : undefined;
    return `  readonly ${name}${isRequired ? "" : "?"}: ${typeOf(value, names, inner)};`;
  });
  return `{\n${members.join("\n")}\n}`;
}

function typeOf(schema: Schema, names: Set<string>, place?: string): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split("/").at(-1)!;
    names.add(name);
    return name;
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((each) => typeOf(each, names)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.properties) {
    // On one line where it fits.
    const members = membersOf(schema, names, place).replace(/\n\s*/g, " ");
    const known = places.get(members);
    if (known !== undefined) return known;
    const isLong = Object.keys(schema.properties).length >= MIN_NAMED_MEMBERS;
    // An object that can be null has a type of both.
    if (place && isLong && schema.type === "object") places.set(members, place);
    return members;
  }
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return "unknown";
  return types.map((type) => simpleTypeOf(type, schema, names)).join(" | ");
}

function simpleTypeOf(type: string, schema: Schema, names: Set<string>): string {
  const { items, minItems, maxItems, enum: values } = schema;
  const item = items ? typeOf(items, names) : "unknown";
  // A range has two items.
  if (type === "array" && minItems === maxItems && minItems !== undefined)
    return `readonly [${Array(minItems).fill(item).join(", ")}]`;
  if (type === "array") return `readonly (${item})[]`;
  if (type === "integer") return "number";
  if (type === "string" && values) return values.map((value) => JSON.stringify(value)).join(" | ");
  return type;
}

if (import.meta.main) writeFileSync(TYPES_PATH, typesSource());
