/** The codes of a summary that `labels` adds words to, by their places. They follow from the schema of the summary. */
import type { Schema } from "../openapi/json-schema.ts";
import { labelName, SUMMARY_PROPERTIES } from "../openapi/summary-schema.ts";

/** A value of a summary that has codes, or has them within. */
export interface CodedValue {
  /** The ONIX list of a code, or of the codes of a list. */
  readonly list?: number;
  /** True for the code of a subject, whose words were loaded. */
  readonly isSubject?: boolean;
  /** The name of the member with its label or labels. */
  readonly labelName?: string;
  /** The members of an object, or of the objects of a list. */
  readonly members?: ReadonlyMap<string, CodedValue>;
}

function codedMembers(properties: Readonly<Record<string, Schema>>): ReadonlyMap<string, CodedValue> {
  return new Map(
    Object.entries(properties).flatMap(([name, schema]) => {
      const coded = codedValue(name, schema);
      return coded === undefined ? [] : [[name, coded] as const];
    }),
  );
}

function codedValue(name: string, schema: Schema): CodedValue | undefined {
  const items = schema.items as Schema | undefined;
  const { "x-onix-list": list, properties } = items ?? schema;
  if (schema["x-thema"] === true) return { isSubject: true, labelName: labelName(name, false) };
  if (typeof list === "number") return { list, labelName: labelName(name, items !== undefined) };
  const members = properties === undefined ? undefined : codedMembers(properties as Record<string, Schema>);
  return members === undefined || members.size === 0 ? undefined : { members };
}

export const CODED_MEMBERS: ReadonlyMap<string, CodedValue> = codedMembers(SUMMARY_PROPERTIES);
