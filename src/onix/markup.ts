import type { OnixElement } from "./element.ts";

/** The inside of an element that has XHTML in it, as a string of markup. */
export function markupOf(children: OnixElement["children"]): string {
  let text = "";
  for (const child of children) text += typeof child === "string" ? escapeText(child) : tag(child);
  return text;
}

/** HTML, 13.1.2: void elements. A page takes the one tag of any other empty element for its start tag. */
const VOID: ReadonlySet<string> = new Set(
  "area base br col embed hr img input link meta source track wbr".split(" "),
);

export function isVoid(name: string): boolean {
  return VOID.has(name.toLowerCase());
}

function tag({ name, attributes, children }: OnixElement): string {
  const head = name + attributes.map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`).join("");
  return children.length === 0 && isVoid(name) ? `<${head}/>` : `<${head}>${markupOf(children)}</${name}>`;
}

export function escapeText(text: string): string {
  // A carriage return that is really meant would come back as a line feed (XML 1.0, 2.11).
  return /[&<>\r]/.test(text)
    ? text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\r", "&#13;")
    : text;
}

export function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', "&quot;").replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
}

/** Without blanks of XML (1.0, 2.3) at both ends; a no-break space is none of them. */
export function trimBlanks(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text.charCodeAt(from))) from++;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
  return from === 0 && to === text.length ? text : text.slice(from, to);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d;
}
