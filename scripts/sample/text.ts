/** Text elements in the encodings that feeds use: XHTML, escaped HTML, CDATA, plain text. */

import { type Element, escapeText, raw } from "./xml.ts";

/** Returns XHTML in which *emphasis* has become an element. */
export function xhtmlInline(text: string): string {
  return escapeText(text).replace(/\*([^*]+)\*/g, "<em>$1</em>");
}

export function plain(text: string): string {
  return text.replace(/\*([^*]+)\*/g, "$1");
}

/** Returns the first sentence of a text. A very short one is returned together with the second. */
export function firstSentence(text: string): string {
  const sentences = plain(text.split("\n\n")[0]!).split(
    /(?<=[.!?…][»”’]?)(?<!\b(?:Mrs?|[A-Z])\.)\s+(?=[\p{Lu}«¿¡“])/u,
  );
  const first = sentences[0]!;
  return first.length < 60 && sentences[1] !== undefined ? `${first} ${sentences[1]}` : first;
}

export type Encoding = "xhtml" | "escaped" | "cdata" | "plain";

/** Returns a Text element of paragraphs followed by a list. */
export function textElement(
  paragraphs: string[],
  list: string[],
  encoding: Encoding,
  language?: string,
): Element {
  const attributes = language === undefined ? {} : { language };
  if (encoding === "plain") {
    const lines = [...paragraphs.map(plain), ...list.map((item) => `— ${plain(item)}`)];
    return raw("Text", escapeText(lines.join("\n")), { ...attributes, textformat: "06" });
  }
  const items = list.map((item) => `<li>${xhtmlInline(item)}</li>`).join("");
  const body = paragraphs
    .map((paragraph) => `<p>${xhtmlInline(paragraph).replace(/\n/g, "<br/>")}</p>`)
    .join("");
  const markup = body + (items ? `<ul>${items}</ul>` : "");
  if (encoding === "xhtml") return raw("Text", markup, { ...attributes, textformat: "05" });
  const html = markup.replaceAll("<br/>", "<br>");
  const content = encoding === "cdata" ? `<![CDATA[${html}]]>` : escapeText(html);
  return raw("Text", content, { ...attributes, textformat: "02" });
}
