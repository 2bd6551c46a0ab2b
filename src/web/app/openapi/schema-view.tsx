/** Schemas as a tree. Each composite is rendered when it is opened: a record has thousands of fields. */

import { useState } from "preact/hooks";
import { useTexts } from "../shared/core/texts.ts";
import { type ApiDocument, componentOf, resolve, type Schema } from "./document.ts";
import { Inline } from "./markdown.tsx";
import { OPENAPI } from "./texts.ts";

interface SchemaProps {
  readonly document: ApiDocument;
  readonly schema: Schema;
}

/** Shows what a response has: the fields of its schema, or of each alternative. */
export function SchemaView({ document, schema }: SchemaProps) {
  const { one, shape } = shapeOf(schema);
  const alternatives = one.oneOf ?? one.allOf ?? [one];
  return (
    <ul class="schema">
      {alternatives.map((alternative, index) => (
        <li key={index}>
          <SchemaValue
            document={document}
            name={componentOf(alternative) ?? describe(alternative)}
            schema={alternative}
            shape={shape}
          />
        </li>
      ))}
    </ul>
  );
}

interface ValueProps extends SchemaProps {
  readonly name: string;
  readonly shape?: string;
  readonly isRequired?: boolean;
}

function SchemaValue({ document, name, schema, shape: outerShape = "", isRequired = false }: ValueProps) {
  const texts = useTexts(OPENAPI);
  const { one, shape: innerShape } = shapeOf(schema);
  const component = componentOf(one);
  const target = resolve(document, one);
  const shape = outerShape + innerShape;
  const description = schema.description ?? target.description;
  const fields = fieldsOf(target);
  if (fields.length > 0)
    return (
      <Composite
        document={document}
        label={name + shape}
        component={component}
        fields={fields}
        schema={target}
      />
    );
  return (
    <>
      <code>{name}</code> {describe(target)}
      {shape}
      {isRequired && `, ${texts.alwaysThere}`} <small>{description && <Inline text={description} />}</small>
    </>
  );
}

interface CompositeProps extends SchemaProps {
  readonly label: string;
  readonly component: string | undefined;
  readonly fields: readonly (readonly [name: string, schema: Schema])[];
}

function Composite({ document, label, component, fields, schema }: CompositeProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details data-component={component} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && (
        <ul>
          {fields.map(([name, field]) => (
            <li key={name}>
              <SchemaValue
                document={document}
                name={name}
                schema={field}
                isRequired={schema.required?.includes(name) ?? false}
              />
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

/** Returns the members of an object. One of an object with members of any name stands for all of them. */
function fieldsOf({ properties, additionalProperties }: Schema): readonly (readonly [string, Schema])[] {
  const fields = Object.entries(properties ?? {});
  if (typeof additionalProperties !== "object") return fields;
  return [...fields, ["any other name", additionalProperties]];
}

/** Returns the schema of one value, and how many there are. */
function shapeOf(schema: Schema): { readonly one: Schema; readonly shape: string } {
  const [single, several] = schema.anyOf ?? [];
  if (single && several?.type === "array") return { one: single, shape: ", or an array of several" };
  const { items, maxItems } = schema;
  if (schema.type !== "array" || !items || maxItems === 0) return { one: schema, shape: "" };
  const [item] = items.anyOf ?? [];
  return { one: item ?? items, shape: item ? ", an array with null" : ", an array" };
}

function describe(schema: Schema): string {
  const type = Array.isArray(schema.type) ? schema.type.join(" or ") : (schema.type ?? "value");
  const list = schema["x-onix-list"];
  return list === undefined ? String(type) : `${type}, list ${list}`;
}
