/** Validates records against the OpenAPI document. */
import type { ValidateFunction } from "ajv/dist/2020";
import { JsonSchemaCompiler } from "../../../testing/json-schema-compiler.ts";
import { openApiDocument } from "../../document.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document is JSON, and tests read many members of it.
export const document: any = JSON.parse(JSON.stringify(openApiDocument({ version: "0", codeListIssue: 0 })));

let validate: ValidateFunction | undefined;

/** Returns what is wrong with a record; an empty text when it is valid. */
export function bookErrors(record: unknown): string {
  validate ??= new JsonSchemaCompiler(document).compile("#/components/schemas/Book");
  return validate(record) ? "" : JSON.stringify(validate.errors);
}
