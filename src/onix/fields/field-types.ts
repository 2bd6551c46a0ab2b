/** The datatypes and attributes of elements, as the schema of either release of ONIX 3 has them. */
import type { DatatypeName } from "../check/datatypes.ts";
import table from "../generated/schema.json" with { type: "json" };

/** `Flow` is text with markup. */
export type FieldType = DatatypeName | "Flow";

/** One value for both releases, or the pair of 3.0 and 3.1. */
type Member = string | readonly (string | null)[];

const rows = table as unknown as Readonly<
  Record<string, { readonly type?: string; readonly attributes?: Member }>
>;

/** Returns undefined for a composite or a flag. */
export function fieldTypeOf(element: string): FieldType | undefined {
  return rows[element]?.type as FieldType | undefined;
}

/** Returns the attributes of an element in either release, without those that every element may have. */
export function fieldAttributesOf(element: string): readonly string[] {
  const attributes = rows[element]?.attributes ?? [];
  const texts = typeof attributes === "string" ? [attributes] : attributes;
  return [...new Set(texts.flatMap((text) => text?.split(" ") ?? []))];
}
