/** Titles: the one that a book is known by, its parts, and all others. The rules are those of docs/summary.md. */
import { joinParts } from "../../../../client/names.ts";
import { plainLine } from "../../../../onix/summary/plain-text.ts";
import type { Fields, Shown } from "../record/fields.ts";

interface TitleView {
  readonly title: Shown | undefined;
  readonly subtitle: Shown | undefined;
  /** The titles of the collections that the title of the product names. */
  readonly collections: readonly Shown[];
  readonly others: readonly OtherTitle[];
  readonly statement: Shown | undefined;
}

interface OtherTitle {
  readonly type: Shown | undefined;
  readonly title: Shown;
}

/** ONIX list 15. */
const DISTINCTIVE_TITLE = "01";
/** ONIX list 149. */
const [PRODUCT_LEVEL, COLLECTION_LEVEL] = ["01", "02"];

export function readTitle(descriptive: Fields): TitleView {
  const details = descriptive.composites("TitleDetail");
  const main = details.find((detail) => detail.code("TitleType") === DISTINCTIVE_TITLE) ?? details[0];
  const elements = main?.composites("TitleElement") ?? [];
  const element = elements.find((each) => each.code("TitleElementLevel") === PRODUCT_LEVEL) ?? elements[0];
  const outer = elements.filter(
    (each) => each !== element && each.code("TitleElementLevel") === COLLECTION_LEVEL,
  );
  return {
    title: element && titleOf(element),
    subtitle: element && tidy(element.one("Subtitle")),
    collections: outer.flatMap((each) => titleWithSubtitle(each) ?? []),
    others: details.filter((detail) => detail !== main).flatMap(otherTitle),
    statement: main?.one("TitleStatement"),
  };
}

function otherTitle(detail: Fields): readonly OtherTitle[] {
  const title = titleOfDetail(detail);
  return title ? [{ type: detail.one("TitleType"), title }] : [];
}

/** Returns all elements of a title as one text. */
export function titleOfDetail(detail: Fields): Shown | undefined {
  const titles = detail.mapPresent("TitleElement", (element) => {
    element.code("TitleElementLevel");
    return titleWithSubtitle(element);
  });
  const [first] = titles;
  return first && { ...first, text: titles.map(({ text }) => text).join(" · ") };
}

function titleWithSubtitle(element: Fields): Shown | undefined {
  const title = titleOf(element);
  const subtitle = tidy(element.one("Subtitle"));
  if (!title || !subtitle) return title ?? subtitle;
  return { ...title, text: `${title.text}: ${subtitle.text}` };
}

function titleOf(element: Fields): Shown | undefined {
  element.text("SequenceNumber");
  element.flag("NoPrefix");
  const whole = tidy(element.one("TitleText") ?? withPrefix(element));
  const parts = [element.one("PartNumber"), element.one("YearOfAnnual")].filter((part) => part !== undefined);
  if (!whole) return parts[0] && { ...parts[0], text: parts.map(({ text }) => text).join(", ") };
  return { ...whole, text: [whole, ...parts].map(({ text }) => text).join(", ") };
}

/** Returns a title without markup and entities, which some feeds have. */
function tidy(shown: Shown | undefined): Shown | undefined {
  if (!shown) return undefined;
  const text = plainLine(shown.text);
  return text === shown.text ? shown : { ...shown, text, raw: shown.raw ?? shown.text };
}

function withPrefix(element: Fields): Shown | undefined {
  const rest = element.one("TitleWithoutPrefix");
  const prefix = element.text("TitlePrefix");
  if (!rest || !prefix) return rest;
  return { ...rest, text: joinParts([prefix, rest.text]) };
}
