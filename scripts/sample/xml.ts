/** XML elements and their pretty printer. */

export interface Element {
  name: string;
  attributes: Record<string, string>;
  content: Element[] | Markup;
}

/** Content that is printed without escaping. */
export interface Markup {
  markup: string;
}

type Child = Element | Element[] | false | null | undefined;

export function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Returns an element with child elements. False, null and undefined children are left out. */
export function group(name: string, ...children: Child[]): Element {
  return { name, attributes: {}, content: children.flat().filter((child) => !!child) };
}

/** Returns an element with text, which is escaped. */
export function leaf(name: string, text: string | number, attributes: Record<string, string> = {}): Element {
  return { name, attributes, content: { markup: escapeText(String(text)) } };
}

/** Returns an element whose content is markup. */
export function raw(name: string, markup: string, attributes: Record<string, string> = {}): Element {
  return { name, attributes, content: { markup } };
}

/** Returns an empty element. */
export function flag(name: string): Element {
  return { name, attributes: {}, content: [] };
}

/** A composite is printed on one line when the line is not longer than this. */
const MAX_LINE_CHARACTERS = 320;

function startTag({ name, attributes }: Element): string {
  const pairs = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeText(value).replaceAll('"', "&quot;")}"`,
  );
  return `<${name}${pairs.join("")}`;
}

function printInline(element: Element): string {
  const { name, content } = element;
  if (Array.isArray(content) && content.length === 0) return `${startTag(element)}/>`;
  const inside = Array.isArray(content) ? content.map(printInline).join("") : content.markup;
  return `${startTag(element)}>${inside}</${name}>`;
}

/** Returns the element with an indent of two spaces per level. A composite that fits on a line is printed on one. */
export function print(element: Element, indent = ""): string {
  const line = printInline(element);
  if (!Array.isArray(element.content) || indent.length + line.length <= MAX_LINE_CHARACTERS)
    return `${indent}${line}\n`;
  const inside = element.content.map((child) => print(child, `${indent}  `)).join("");
  return `${indent}${startTag(element)}>\n${inside}${indent}</${element.name}>\n`;
}
