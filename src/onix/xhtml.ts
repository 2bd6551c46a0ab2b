import { escapeAttribute, escapeText, isVoidElement } from "../xml/markup.ts";
import type { OnixElement } from "./element.ts";

/** Serializes the content of an element that contains XHTML as a string of markup. */
export function serializeXhtml(children: OnixElement["children"]): string {
  let text = "";
  for (const child of children) {
    text += typeof child === "string" ? escapeText(child) : serializeElement(child);
  }
  return text;
}

function serializeElement({ name, attributes, children }: OnixElement): string {
  const startTag = name + attributes.map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`).join("");
  return children.length === 0 && isVoidElement(name)
    ? `<${startTag}/>`
    : `<${startTag}>${serializeXhtml(children)}</${name}>`;
}
