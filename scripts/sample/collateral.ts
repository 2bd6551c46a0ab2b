/** CollateralDetail: what is said about a product. */

import { minutesOf } from "./product-form.ts";
import { pick } from "./deterministic.ts";
import { PHRASES, spokenTime } from "./phrases.ts";
import { isDigital, plainName } from "./products.ts";
import type { Kind } from "./subjects.ts";
import { type Carrier, firstSentence, plain, textElement } from "./text.ts";
import type { Product } from "./types.ts";
import { type Element, group, leaf } from "./xml.ts";

const INTRODUCTIONS = ["A15", "A16", "A23", "A24", "A29"];
const OBJECTS: Kind[] = ["atlas", "childPicture", "cooking", "exhibition", "guide", "nature", "yearbook"];
const EDITIONS = ["B01", "B05", "A20", "A21"];

/** The sentence on the edition: who made it, or how it is made. */
function editionSentence(product: Product): string {
  const { book, form, imprint, stage, chance } = product;
  const phrases = PHRASES[imprint.prose];
  const named = (roles: string[]) => product.contributors.find(({ role }) => roles.includes(role))?.name;
  const values: Record<string, string> = { pages: String(book.pages) };
  const say = (variants: string[], name?: string) => {
    if (name !== undefined) values.name = plainName(name);
    return pick(variants, chance("phrase")).replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? "");
  };
  if (book.series) {
    values.series = book.series[0];
    values.number = String(book.series[1] ?? "");
  }
  if (form === "AJ") {
    values.time = spokenTime(minutesOf(product), imprint.prose);
    return say(phrases.audio, named(["E07"]));
  }
  if (stage === "far") return say(phrases.announced);
  if (isDigital(form)) return say(phrases.ebook);
  const candidates: string[] = [];
  const translator = named(["B06", "B08"]);
  const introducer = named(INTRODUCTIONS);
  const editor = named(EDITIONS);
  const illustrator = named(["A12"]);
  if (translator) candidates.push(say(phrases.translated, translator));
  if (introducer) candidates.push(say(phrases.introduced, introducer));
  if (editor) candidates.push(say(phrases.edited, editor));
  if (illustrator && illustrator !== book.by) candidates.push(say(phrases.illustrated, illustrator));
  if (book.series && candidates.length === 0) candidates.push(say(phrases.series));
  if (candidates.length === 0)
    candidates.push(say((OBJECTS.includes(book.kind) && phrases.object) || phrases.plain));
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

function carrierOf(dice: number): Carrier {
  if (dice < 0.52) return "xhtml";
  if (dice < 0.66) return "escaped";
  return dice < 0.8 ? "cdata" : "plain";
}

function texts(product: Product): Element[] {
  const { book, imprint, chance } = product;
  const language = chance("language") < 0.35 ? imprint.prose : undefined;
  const carrier = carrierOf(chance("carrier"));
  const found: Element[] = [];
  const short = firstSentence(book.about);
  if (chance("short") < 0.28) {
    found.push(textContent("02", textElement([short], [], "plain", language)));
  }
  const paragraphs = [...book.about.split("\n\n"), editionSentence(product)];
  found.push(textContent("03", textElement(paragraphs, [], carrier, language)));
  if (book.contents) {
    const listed = carrierOf(chance("contents"));
    found.push(textContent("04", textElement([], book.contents, listed, language)));
  }
  if (book.review) {
    const [quote, source] = book.review;
    found.push(textContent("06", textElement([quote], [], "plain", language), source));
  }
  return found;
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
