/** Texts and the ways that feeds carry them: XHTML, escaped HTML, CDATA, plain text. */

import { type Element, escapeText, raw } from "./xml.ts";

/** A line of text whose *emphasis* becomes an element. */
export function xhtmlInline(text: string): string {
  return escapeText(text).replace(/\*([^*]+)\*/g, "<em>$1</em>");
}

export function plain(text: string): string {
  return text.replace(/\*([^*]+)\*/g, "$1");
}

/** The first sentence of a text, or two when it is very short. */
export function firstSentence(text: string): string {
  const sentences = plain(text.split("\n\n")[0]!).split(
    /(?<=[.!?…][»”’]?)(?<!\b(?:Mrs?|[A-Z])\.)\s+(?=[\p{Lu}«¿¡“])/u,
  );
  const first = sentences[0]!;
  return first.length < 60 && sentences[1] !== undefined ? `${first} ${sentences[1]}` : first;
}

export type Carrier = "xhtml" | "escaped" | "cdata" | "plain";

/** A Text element of paragraphs, and of a list after them. */
export function textElement(
  paragraphs: string[],
  list: string[],
  carrier: Carrier,
  language?: string,
): Element {
  const attributes = language === undefined ? {} : { language };
  if (carrier === "plain") {
    const lines = [...paragraphs.map(plain), ...list.map((item) => `— ${plain(item)}`)];
    return raw("Text", escapeText(lines.join("\n")), { ...attributes, textformat: "06" });
  }
  const items = list.map((item) => `<li>${xhtmlInline(item)}</li>`).join("");
  const body = paragraphs
    .map((paragraph) => `<p>${xhtmlInline(paragraph).replace(/\n/g, "<br/>")}</p>`)
    .join("");
  const markup = body + (items ? `<ul>${items}</ul>` : "");
  if (carrier === "xhtml") return raw("Text", markup, { ...attributes, textformat: "05" });
  const html = markup.replaceAll("<br/>", "<br>");
  const inside = carrier === "cdata" ? `<![CDATA[${html}]]>` : escapeText(html);
  return raw("Text", inside, { ...attributes, textformat: "02" });
}
