/**
 * JSON Schemas of the book record, from the tables of ONIX: one component for each composite, code list and datatype.
 *
 * Arity, order and names are those of the record builder. Nothing but a few members is required, and values are not
 * restricted to what ONIX allows, because a record keeps what a feed has.
 */
import { ATTRIBUTE_LISTS } from "../../../onix/code-lists.ts";
import { type ElementRule, elementByTag } from "../../../onix/element-table.ts";
import { fieldAttributesOf } from "../../../onix/fields/coded-fields.ts";
import { isSingleOrArray } from "../../../onix/record/record-fields.ts";
import { arrayOf, oneOrMany, refTo, type Schema } from "../json-schema.ts";
import { type Components, listSchema, valueSchema } from "./value-schemas.ts";

/** Keys with `@` or `#`, which no name of an element contains. */
const EXTRA_MEMBERS: Schema = {
  description:
    "Members that the schema of a composite does not list. `Name@attribute` of an element, in the shape of its value, and " +
    "`@attribute` of the composite itself: any element may have `datestamp`, `sourcename` and `sourcetype`. " +
    "`Name#more`: elements that a feed repeats although ONIX does not. `#text`: text between elements. " +
    "`MainSubject#text`: the content of that flag.",
  patternProperties: {
    "@[^@#]+$": { type: ["string", "array"], items: { type: ["string", "null"] } },
    "^[^@#]+#more$": arrayOf({ type: ["string", "object"] }),
    "^[^@#]*#text$": { type: "string" },
  },
};

const UNKNOWN_ELEMENT: Schema = {
  ...arrayOf({ type: ["string", "object", "array"], items: {} }),
  minItems: 1,
  description:
    "An element that ONIX does not have, or not here, under its own name. It is always an array: of texts, of objects " +
    "where it contains elements, or of arrays where it is a flag.",
};

type Properties = Record<string, Schema>;

const FLAG: Schema = {
  type: "array",
  items: { type: "string" },
  maxItems: 1,
  description:
    "A flag: `[]` where it is set, otherwise absent. Content that a feed puts into it is the item.",
};

const MAIN_SUBJECT: Schema = {
  type: "array",
  items: { type: "string", const: "true" },
  maxItems: 1,
  description: '`["true"]` when it is the main subject of its scheme, otherwise `[]`.',
};

/** Members of composites that records always have. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  Product: ["_id", "RecordReference", "ProductIdentifier"],
  Subject: ["MainSubject"],
};

/** Returns the components of a record: `Book`, and all that it refers to, by name. */
export function recordSchemas(ownMembers: Properties): Record<string, Schema> {
  const components: Components = new Map();
  components.set("Book", compositeSchema(elementByTag("Product")!, components, ownMembers));
  components.set("ExtraMembers", EXTRA_MEMBERS);
  components.set("UnknownElement", UNKNOWN_ELEMENT);
  return Object.fromEntries([...components].sort(([a], [b]) => byName(a, b)));
}

/**
 * The patterns of `ExtraMembers` are in an `else`, which generators of clients ignore. Beside `properties`, they would
 * become an index signature and spoil the types of all members.
 */
function compositeSchema(rule: ElementRule, components: Components, ownMembers: Properties = {}): Schema {
  const properties = { ...ownMembers, ...propertiesOf(rule, components), ...ownMembers };
  const required = REQUIRED[rule.name];
  return {
    type: "object",
    properties,
    ...(required && { required }),
    if: { propertyNames: { enum: Object.keys(properties) } },
    else: refTo("ExtraMembers"),
    unevaluatedProperties: refTo("UnknownElement"),
  };
}

function propertiesOf(composite: ElementRule, components: Components): Properties {
  const properties: Properties = {};
  for (const [name, { repeats }] of composite.children) {
    const rule = elementByTag(name)!;
    const arity = arityOf(name, composite.name, repeats);
    properties[name] = rule.kind === "flag" ? flagSchema(name, components) : arity(one(rule), one(rule));
    if (rule.kind !== "data" && rule.kind !== "markup") continue;
    for (const attribute of fieldAttributesOf(name)) {
      const value = attributeSchema(attribute, components);
      properties[`${name}@${attribute}`] = arity(value, { anyOf: [value, { type: "null" }] });
    }
  }
  return properties;

  function one(rule: ElementRule): Schema {
    if (rule.kind !== "composite") return valueSchema(composite.name, rule.name, components);
    if (!components.has(rule.name)) {
      // A placeholder, because no composite contains itself.
      components.set(rule.name, {});
      components.set(rule.name, compositeSchema(rule, components));
    }
    return refTo(rule.name);
  }
}

/** Returns the schema of a field from the schemas of its single value and of an item of its array. */
function arityOf(name: string, composite: string, repeats: boolean): (one: Schema, item: Schema) => Schema {
  if (!repeats) return (one) => one;
  return isSingleOrArray(name, composite) ? oneOrMany : (_, item) => arrayOf(item);
}

function attributeSchema(attribute: string, components: Components): Schema {
  const list = ATTRIBUTE_LISTS[attribute];
  return list === undefined ? { type: "string" } : listSchema(list, components);
}

function flagSchema(name: string, components: Components): Schema {
  const isMainSubject = name === "MainSubject";
  const component = isMainSubject ? name : "Flag";
  components.set(component, isMainSubject ? MAIN_SUBJECT : FLAG);
  return refTo(component);
}

/** Sorts `List5` before `List17`. */
function byName(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
