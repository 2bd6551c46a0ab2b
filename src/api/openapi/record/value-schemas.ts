/** The values of fields: code lists, datatypes and flags. Each is a component that fields refer to. */
import { DATATYPES } from "../../../onix/check/datatypes.ts";
import { categoryOf, codeLists } from "../../../onix/code-lists.ts";
import {
  type FieldCodes,
  type FieldType,
  fieldAttributesOf,
  fieldCodes,
  fieldTypeOf,
} from "../../../onix/fields/coded-fields.ts";
import { refTo, type Schema } from "../json-schema.ts";

/** The components that schemas refer to, collected while they are made. */
export type Components = Map<string, Schema>;

const KEPT = "The record has the value of the feed, also when it is another.";

const MARKUP: Schema = {
  type: "string",
  description: "May contain HTML markup and line feeds. Colophon does not sanitise it.",
};

const DATE: Schema = {
  type: "string",
  description: `A date, usually YYYYMMDD: \`@dateformat\` beside it names another form. ${KEPT}`,
};

/** Returns the schema of one value of a data element. */
export function valueSchema(composite: string, field: string, components: Components): Schema {
  const codes = fieldCodes(composite, field);
  if (codes) return codeSchema(codes, components);
  if (fieldAttributesOf(field).includes("dateformat")) return component("OnixDate", DATE, components);
  const type = fieldTypeOf(field);
  if (type === undefined || type === "NonEmptyString" || type === "code") return { type: "string" };
  return component(type === "Flow" ? "Markup" : type, datatypeSchema(type), components);
}

/** Returns the schema of one code of a list. Unknown codes are kept, and lists grow, so that it has no `enum`. */
export function listSchema(list: number, components: Components): Schema {
  const category = categoryOf(list);
  const title = category === undefined ? undefined : codeLists[category]!.title;
  return component(
    `List${list}`,
    {
      type: "string",
      description: category
        ? `${title}: a code of ONIX list ${list}. \`${category}\` of \`/api/translations\` has its label.`
        : `A code of ONIX list ${list}, which has no codes yet.`,
      ...listKeywords(list),
    },
    components,
  );
}

function codeSchema(codes: FieldCodes, components: Components): Schema {
  if (!("by" in codes)) {
    const one = listSchema(codes.list, components);
    if (!codes.isSpaceSeparated) return one;
    return component(
      `List${codes.list}Codes`,
      {
        type: "string",
        description: `Codes of ONIX list ${codes.list}, separated by spaces.`,
        ...listKeywords(codes.list),
        "x-separator": " ",
      },
      components,
    );
  }
  const { by, lists, severalFor = [] } = codes;
  return {
    type: "string",
    description: `For some codes of \`${by}\`, a code of the list that \`x-onix-list-by\` has for it.`,
    "x-onix-list-by": {
      field: by,
      lists: Object.fromEntries(
        Object.entries(lists).map(([code, list]) => [
          code,
          { ...listKeywords(list), ...(severalFor.includes(code) && { "x-separator": " " }) },
        ]),
      ),
    },
  };
}

/** Returns the keywords that name a code list and the category with its labels. */
export function listKeywords(list: number): Schema {
  const category = categoryOf(list);
  return { "x-onix-list": list, ...(category && { "x-translations-category": category }) };
}

function datatypeSchema(type: Exclude<FieldType, "code">): Schema {
  if (type === "Flow") return MARKUP;
  return { type: "string", description: `ONIX expects ${DATATYPES[type].description}. ${KEPT}` };
}

function component(name: string, schema: Schema, components: Components): Schema {
  components.set(name, schema);
  return refTo(name);
}
