/** A small XML tree and its pretty printer. */

export interface Element {
  name: string;
  attributes: Record<string, string>;
  content: Element[] | Markup;
}

/** The inside of an element that is written as it is. */
export interface Markup {
  markup: string;
}

type Child = Element | Element[] | false | null | undefined;

export function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** An element of elements; what is false or absent is left out. */
export function group(name: string, ...children: Child[]): Element {
  return { name, attributes: {}, content: children.flat().filter((child) => !!child) };
}

/** An element of text. */
export function leaf(name: string, text: string | number, attributes: Record<string, string> = {}): Element {
  return { name, attributes, content: { markup: escapeText(String(text)) } };
}

/** An element whose inside is markup already. */
export function raw(name: string, markup: string, attributes: Record<string, string> = {}): Element {
  return { name, attributes, content: { markup } };
}

/** An empty element. */
export function flag(name: string): Element {
  return { name, attributes: {}, content: [] };
}

/** The longest line that a whole composite is put on. */
const WIDTH = 320;

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

/** Indented by two blanks a level; a composite that fits on a line stands on one. */
export function print(element: Element, indent = ""): string {
  const line = printInline(element);
  if (!Array.isArray(element.content) || indent.length + line.length <= WIDTH) return `${indent}${line}\n`;
  const inside = element.content.map((child) => print(child, `${indent}  `)).join("");
  return `${indent}${startTag(element)}>\n${inside}${indent}</${element.name}>\n`;
}
