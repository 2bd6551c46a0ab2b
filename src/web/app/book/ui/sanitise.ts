/**
 * Markup of a feed, made safe. DOMPurify removes everything that is not in these lists: scripts, styles, event
 * handlers, forms, frames, images and other media. It parses in a document that is never shown. The policy of the page
 * holds there, too, so Chromium reports inline styles of a feed in the console.
 */
import createPurifier from "dompurify";

const TAGS =
  "a abbr b bdi bdo blockquote br caption cite code col colgroup dd del dfn div dl dt em h1 h2 h3 h4 h5 h6 hr i ins " +
  "kbd li ol p pre q rp rt ruby s samp small span strong sub sup table tbody td tfoot th thead tr u ul var";
const ATTRIBUTES = "abbr cite colspan dir href lang reversed rowspan scope start title";

const purifier = createPurifier(window);

purifier.addHook("afterSanitizeAttributes", (element) => {
  if (element.tagName !== "A") return;
  const href = element.getAttribute("href") ?? "";
  // Relative links would lead to pages of this service.
  if (!/^(?:https?:\/\/|mailto:)/i.test(href)) {
    element.removeAttribute("href");
    return;
  }
  element.setAttribute("rel", "noopener noreferrer");
  element.setAttribute("target", "_blank");
});

const HAS_MARKUP = /<[A-Za-z!/?]/;

/** Returns the markup as elements. Text without markup keeps its line feeds, and its entities are decoded. */
export function sanitised(text: string): DocumentFragment {
  const fragment = purifier.sanitize(text, {
    ALLOWED_TAGS: TAGS.split(" "),
    ALLOWED_ATTR: ATTRIBUTES.split(" "),
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  if (!HAS_MARKUP.test(text)) return paragraphsOf(fragment.textContent ?? "");
  replaceHeadings(fragment);
  return fragment;
}

/** Returns the text without its markup, for places that have one line. */
export function withoutMarkup(text: string): string {
  return HAS_MARKUP.test(text) ? (sanitised(text).textContent ?? "") : text;
}

/** A heading inside a text is no heading of the page: it would break the outline that screen readers show. */
function replaceHeadings(fragment: DocumentFragment): void {
  for (const heading of fragment.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const paragraph = document.createElement("p");
    paragraph.className = "markup-heading";
    paragraph.append(...heading.childNodes);
    heading.replaceWith(paragraph);
  }
}

/** An empty line begins a paragraph. */
function paragraphsOf(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const part of text.split(/(?:\r?\n[ \t]*){2,}/)) {
    const paragraph = document.createElement("p");
    paragraph.className = "markup-plain";
    paragraph.textContent = part.trim();
    if (part.trim()) fragment.append(paragraph);
  }
  return fragment;
}
