/** CollateralDetail: descriptions, reviews and covers. */

import { pick } from "./deterministic.ts";
import { formatDuration, PHRASES } from "./phrases.ts";
import { minutesOf } from "./product-form.ts";
import { isDigital, plainName } from "./products.ts";
import type { Kind } from "./subjects.ts";
import { type Encoding, firstSentence, plain, textElement } from "./text.ts";
import type { Product } from "./types.ts";
import { type Element, group, leaf } from "./xml.ts";

/** Roles of ONIX list 17. */
const INTRODUCER_ROLES = ["A15", "A16", "A23", "A24", "A29"];
const ILLUSTRATED_KINDS: Kind[] = [
  "atlas",
  "childPicture",
  "cooking",
  "exhibition",
  "guide",
  "nature",
  "yearbook",
];
const EDITOR_ROLES = ["B01", "B05", "A20", "A21"];

/** Returns a sentence on the edition: its translator or editor, or its form. */
function editionSentence(product: Product): string {
  const { book, form, imprint, stage, chance } = product;
  const phrases = PHRASES[imprint.descriptionLanguage];
  const nameOf = (roles: string[]) => product.contributors.find(({ role }) => roles.includes(role))?.name;
  const values: Record<string, string> = { pages: String(book.pages) };
  const fill = (variants: string[], name?: string) => {
    if (name !== undefined) values.name = plainName(name);
    return pick(variants, chance("phrase")).replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? "");
  };
  if (book.collection) {
    values.series = book.collection[0];
    values.number = String(book.collection[1] ?? "");
  }
  if (form === "AJ") {
    values.time = formatDuration(minutesOf(product), imprint.descriptionLanguage);
    return fill(phrases.audio, nameOf(["E07"]));
  }
  if (stage === "far") return fill(phrases.announced);
  if (isDigital(form)) return fill(phrases.ebook);
  const candidates: string[] = [];
  const translator = nameOf(["B06", "B08"]);
  const introducer = nameOf(INTRODUCER_ROLES);
  const editor = nameOf(EDITOR_ROLES);
  const illustrator = nameOf(["A12"]);
  if (translator) candidates.push(fill(phrases.translated, translator));
  if (introducer) candidates.push(fill(phrases.introduced, introducer));
  if (editor) candidates.push(fill(phrases.edited, editor));
  if (illustrator && illustrator !== book.authors) candidates.push(fill(phrases.illustrated, illustrator));
  if (book.collection && candidates.length === 0) candidates.push(fill(phrases.series));
  if (candidates.length === 0)
    candidates.push(fill((ILLUSTRATED_KINDS.includes(book.kind) && phrases.object) || phrases.plain));
  return candidates.slice(0, chance("second") < 0.15 ? 2 : 1).join(" ");
}

function textContent(type: string, text: Element, source?: string): Element {
  return group(
    "TextContent",
    leaf("TextType", type),
    leaf("ContentAudience", "00"),
    text,
    source !== undefined && leaf("SourceTitle", source),
  );
}

function encodingOf(chance: number): Encoding {
  if (chance < 0.52) return "xhtml";
  if (chance < 0.66) return "escaped";
  return chance < 0.8 ? "cdata" : "plain";
}

function texts(product: Product): Element[] {
  const { book, imprint, chance } = product;
  const language = chance("language") < 0.35 ? imprint.descriptionLanguage : undefined;
  const encoding = encodingOf(chance("carrier"));
  const elements: Element[] = [];
  if (chance("short") < 0.28) {
    elements.push(textContent("02", textElement([firstSentence(book.description)], [], "plain", language)));
  }
  const paragraphs = [...book.description.split("\n\n"), editionSentence(product)];
  elements.push(textContent("03", textElement(paragraphs, [], encoding, language)));
  if (book.contents) {
    const contentsEncoding = encodingOf(chance("contents"));
    elements.push(textContent("04", textElement([], book.contents, contentsEncoding, language)));
  }
  if (book.review) {
    const [quote, source] = book.review;
    elements.push(textContent("06", textElement([quote], [], "plain", language), source));
  }
  return elements;
}

function citation({ book, chance }: Product): Element | false {
  if (!book.review || chance("citation") > 0.3) return false;
  return group(
    "CitedContent",
    leaf("CitedContentType", "01"),
    leaf("ContentAudience", "00"),
    leaf("SourceType", "01"),
    leaf("SourceTitle", book.review[1]),
    leaf(
      "ResourceLink",
      `https://press.example.org/${encodeURIComponent(plain(book.keywords.split(";")[0]!))}`,
    ),
  );
}

function cover({ isbn, chance }: Product): Element | false {
  if (chance("cover") > 0.05) return false;
  return group(
    "SupportingResource",
    leaf("ResourceContentType", "01"),
    leaf("ContentAudience", "00"),
    leaf("ResourceMode", "03"),
    group(
      "ResourceVersion",
      leaf("ResourceForm", "02"),
      group("ResourceVersionFeature", leaf("ResourceVersionFeatureType", "01"), leaf("FeatureValue", "D502")),
      leaf("ResourceLink", `https://covers.example.org/${isbn}.jpg`),
    ),
  );
}

export function collateralDetail(product: Product): Element {
  return group("CollateralDetail", texts(product), citation(product), cover(product));
}
