/** Parses XML into a tree with saxes, which is independent of the tokenizer. */
import { SaxesParser } from "saxes";
import { HTML_ENTITIES } from "../../xml/html-entities.ts";
import { escapeAttribute, escapeText } from "../../xml/markup.ts";

export interface XmlElement {
  /** Without a prefix. */
  readonly name: string;
  /** Names as written, without namespace declarations. */
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly children: (XmlElement | string)[];
}

export function parseXml(xml: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true });
  for (const [name, character] of HTML_ENTITIES) parser.ENTITIES[name] = character;
  const document: XmlElement = { name: "", attributes: [], children: [] };
  const open = [document];
  const addText = (text: string) => open.at(-1)!.children.push(text);
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ local, attributes }) => {
    const own = Object.values(attributes).filter(({ name }) => !/^xmlns(:|$)/.test(name));
    const element: XmlElement = {
      name: local,
      attributes: own.map(({ name, value }) => [name, value]),
      children: [],
    };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on("closetag", () => open.pop());
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.write(xml).close();
  return document.children.find((child) => typeof child !== "string")!;
}

/** Writes a tree. Attributes with prefixes are left out, because their declarations are not in the tree. */
export function serializeXml({ name, attributes, children }: XmlElement): string {
  const own = attributes.filter(([attribute]) => /^(?:xml:)?[^:]*$/.test(attribute));
  const tag = [name, ...own.map(([attribute, value]) => `${attribute}="${escapeAttribute(value)}"`)].join(
    " ",
  );
  const content = children.map((child) =>
    typeof child === "string" ? escapeText(child) : serializeXml(child),
  );
  return `<${tag}>${content.join("")}</${name}>`;
}
