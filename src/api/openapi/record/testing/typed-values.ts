/** Counts the values of a record for which its schema has a type. */
import type { ValidateFunction } from "ajv/dist/2020";
import { JsonSchemaCompiler } from "../../../testing/response-validator.ts";
import { openApiDocument } from "../../document.ts";

export interface TypedValues {
  /** Values of members that the schema lists. */
  listed: number;
  /** Values of members for which `ExtraMembers` has a pattern. */
  extra: number;
  /** Values inside elements that ONIX does not have, or not there. */
  untyped: number;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** An empty array, which is a flag, counts as one value. */
export function countTyped(record: object, document: Document, counts: TypedValues): void {
  const { schemas } = document.components;
  visit(record, { $ref: "#/components/schemas/Book" }, "listed");

  function visit(value: unknown, schema: Schema | undefined, kind: keyof TypedValues): void {
    const resolved = schema && variantFor(value, resolve(schema));
    if (Array.isArray(value) && value.length > 0) {
      for (const item of value) visit(item, resolved?.items, kind);
    } else if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      for (const [key, member] of Object.entries(value)) {
        const listed = resolved?.properties?.[key];
        const isExtra = resolved !== undefined && /[@#]/.test(key);
        visit(member, listed, listed ? kind : isExtra ? "extra" : "untyped");
      }
    } else counts[kind === "listed" && resolved?.type === undefined ? "untyped" : kind]++;
  }

  function resolve(schema: Schema): Schema {
    return schema.$ref === undefined ? schema : schemas[schema.$ref.split("/").at(-1)!]!;
  }

  /** Returns the alternative for one value, for an array, or for null. */
  function variantFor(value: unknown, schema: Schema): Schema {
    if (!schema.anyOf) return schema;
    const wanted = Array.isArray(value) ? "array" : value === null ? "null" : undefined;
    const variants = schema.anyOf.map(resolve);
    return variants.find(({ type }) => (type === "array" || type === "null" ? type : undefined) === wanted)!;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the document is JSON, and tests read many members of it.
export const document: any = JSON.parse(JSON.stringify(openApiDocument({ version: "0", codeListIssue: 0 })));

let validate: ValidateFunction | undefined;

/** Returns what is wrong with a record; an empty text when it is valid. */
export function bookErrors(record: unknown): string {
  validate ??= new JsonSchemaCompiler(document).compile("#/components/schemas/Book");
  return validate(record) ? "" : JSON.stringify(validate.errors);
}
