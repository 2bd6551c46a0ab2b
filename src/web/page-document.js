/**
 * The document that the OpenAPI page shows: that of the service, without what Swagger UI would take seconds to resolve,
 * and with examples of the catalog. Swagger UI resolves all references of an operation before it shows it.
 */

const RECORD = "Book";
const TRANSLATIONS = "Translations";

/**
 * Returns a copy for the page. `base` is the URL of the folder of the document, because the document itself is not at a
 * URL for Swagger UI. Without `examples`, the examples are those of the document.
 */
export function pageDocument(document, base, examples) {
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, { get }]) => [
      path,
      { get: withExamples(withJsonOnly(get), examples) },
    ]),
  );
  const { examples: _, ...components } = document.components;
  const schemas = withoutLongSchemas(document.components.schemas);
  return {
    ...document,
    servers: document.servers.map(({ url }) => ({ url: new URL(url, base).href.replace(/\/$/, "") })),
    paths,
    components: { ...components, schemas },
  };
}

/** The page sends `Accept: application/json`. The parameter `format` names the other formats. */
function withJsonOnly(operation) {
  const found = operation.responses["200"];
  const content = { "application/json": found.content["application/json"] };
  return { ...operation, responses: { ...operation.responses, 200: { ...found, content } } };
}

/**
 * Keeps the components of other responses. `record-schema.js` shows those of the record, and the example of the
 * translations shows what their 159 categories have in common.
 */
function withoutLongSchemas(schemas) {
  const ofRecord = componentsOf(schemas, RECORD);
  const others = Object.entries(schemas).filter(([name]) => !ofRecord.has(name));
  const description = "The record of a book. “Fields of a record”, below, lists its fields.";
  const { description: categories } = schemas[TRANSLATIONS];
  return {
    ...Object.fromEntries(others),
    [RECORD]: { type: "object", description },
    [TRANSLATIONS]: { type: "object", ...(categories && { description: categories }) },
  };
}

/** Returns the names of a component and of all that it refers to. */
export function componentsOf(schemas, name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, other] of JSON.stringify(schemas[name]).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    componentsOf(schemas, other, found);
  }
  return found;
}

/** Replaces the examples of an operation by those of the catalog. */
function withExamples(operation, examples) {
  if (!examples) return operation;
  const parameters = operation.parameters.map((parameter) => {
    const example = examples.parameters[parameter.name];
    return parameter.required && example !== undefined ? { ...parameter, example } : parameter;
  });
  const found = operation.responses["200"];
  const media = found.content["application/json"];
  const example = responseExample(media.schema, examples) ?? media.example;
  const content = { "application/json": { ...media, example } };
  return { ...operation, parameters, responses: { ...operation.responses, 200: { ...found, content } } };
}

function responseExample(schema, { record, imprint }) {
  const one = schema.items ?? schema;
  const names = [one, ...(one.oneOf ?? [])].map(({ $ref }) => $ref?.split("/").pop());
  const value = names.includes(RECORD) ? record : names.includes("ImprintEntry") ? imprint : undefined;
  return value !== undefined && schema.items ? [value] : value;
}
