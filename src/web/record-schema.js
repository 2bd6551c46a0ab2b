/** Shows the schema of a record as a tree. Each composite is rendered when it is opened. */

/** Returns an element that shows a component of the document. */
export function recordSchema(schemas, name) {
  return componentView(schemas, name, name);
}

function componentView(schemas, name, label) {
  const details = element("details", { className: "composite" });
  details.dataset.component = name;
  details.append(element("summary", { textContent: label }));
  details.addEventListener("toggle", () => details.append(fieldList(schemas, name)), { once: true });
  return details;
}

function fieldList(schemas, name) {
  const list = element("ul");
  for (const [field, schema] of Object.entries(schemas[name].properties)) {
    const item = element("li");
    const { one, shape } = shapeOf(schema);
    const component = one.$ref?.split("/").pop();
    const target = component === undefined ? one : schemas[component];
    if (target.properties) item.append(componentView(schemas, component, `${field}${shape}`));
    else {
      item.append(
        element("code", { textContent: field }),
        ` ${describe(target)}${shape} `,
        element("small", { textContent: (target.description ?? "").replaceAll("`", "") }),
      );
    }
    list.append(item);
  }
  return list;
}

/** Returns the schema of one value, and how many there are. */
function shapeOf(schema) {
  if (schema.anyOf?.[1]?.type === "array") return { one: schema.anyOf[0], shape: ", or an array of several" };
  if (schema.type !== "array" || schema.maxItems !== undefined) return { one: schema, shape: "" };
  const { items } = schema;
  return { one: items.anyOf?.[0] ?? items, shape: items.anyOf ? ", an array with null" : ", an array" };
}

function describe(schema) {
  const list = schema["x-onix-list"];
  return list === undefined ? schema.type : `${schema.type}, list ${list}`;
}

function element(name, properties = {}) {
  return Object.assign(document.createElement(name), properties);
}
