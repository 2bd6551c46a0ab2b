/** Parts of JSON Schemas (2020-12). */

export interface Schema {
  readonly [keyword: string]: unknown;
}

export const text = (description?: string): Schema => ({
  type: "string",
  ...(description && { description }),
});

export const isbn13Schema: Schema = { type: "string", pattern: "^[0-9]{13}$" };

export const arrayOf = (items: Schema): Schema => ({ type: "array", items });

/** A repeatable ONIX element: a single value when it occurs once, an array when it occurs several times. */
export const oneOrMany = (one: Schema, many: Schema = one): Schema => ({
  anyOf: [one, { type: "array", items: many, minItems: 2 }],
});

export const object = (properties: Record<string, Schema>, required: readonly string[] = []): Schema => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});

/** An object whose members are all there. */
export const completeObject = (properties: Record<string, Schema>): Schema =>
  object(properties, Object.keys(properties));

export const count = (description: string): Schema => ({ type: "integer", minimum: 0, description });

export const refTo = (component: string): Schema => ({ $ref: `#/components/schemas/${component}` });
