/** Texts about the book: the description first, then the others; and what others have written. */
import { nameInWords } from "../record/element-names.ts";
import { type Fact, type Fields, factOf, factsOf, type Shown, type ViewContext } from "../record/fields.ts";
import { onixDate } from "./dates.ts";
import { type LinkView, linkOf } from "./links.ts";

export interface TextView {
  readonly type: Shown | undefined;
  readonly texts: readonly Shown[];
  readonly audience: readonly Shown[];
  /** Author, source and dates. */
  readonly facts: readonly Fact[];
  readonly links: readonly LinkView[];
}

/** ONIX list 153, in the order in which people want to read them: description, short description, cover copy. */
const FIRST_TYPES = ["03", "02", "05"];

export function readTexts(collateral: Fields, context: ViewContext): readonly TextView[] {
  const place = (content: Fields) =>
    (FIRST_TYPES.indexOf(content.code("TextType")) + FIRST_TYPES.length + 1) % (FIRST_TYPES.length + 1);
  return collateral
    .composites("TextContent")
    .toSorted((a, b) => place(a) - place(b))
    .map((content) => textOf(content, context));
}

function textOf(content: Fields, context: ViewContext): TextView {
  content.text("SequenceNumber");
  return {
    type: content.one("TextType"),
    texts: content.markup("Text"),
    audience: content.all("ContentAudience"),
    facts: [
      ...factsOf(
        content,
        ["TextAuthor", "TextSourceCorporate", "TextSourceDescription", "SourceTitle"],
        context,
      ),
      ...ratingOf(content, context),
      ...contentDatesOf(content, context),
    ],
    links: content.all("TextSourceLink").map((url) => linkOf(url)),
  };
}

function ratingOf(content: Fields, { language }: ViewContext): readonly Fact[] {
  return content.flatMap("ReviewRating", (rating) => {
    const [value, limit] = [rating.text("Rating"), rating.text("RatingLimit")];
    const units = rating.all("RatingUnits");
    const text = limit ? `${value} / ${limit}` : value;
    return value ? factOf(nameInWords("ReviewRating", language), [{ text, raw: value }, ...units]) : [];
  });
}

export function contentDatesOf(parent: Fields, context: ViewContext): readonly Fact[] {
  return parent.flatMap("ContentDate", (date) => {
    const role = date.one("ContentDateRole");
    const { shown } = onixDate(date, context);
    return factOf(role?.text ?? nameInWords("ContentDate", context.language), [shown]);
  });
}

interface CitationView {
  readonly type: Shown | undefined;
  readonly source: Shown | undefined;
  readonly facts: readonly Fact[];
  readonly notes: readonly Shown[];
  readonly links: readonly LinkView[];
}

export function readCitations(collateral: Fields, context: ViewContext): readonly CitationView[] {
  return collateral.composites("CitedContent").map((cited) => ({
    type: cited.one("CitedContentType"),
    source: cited.one("SourceTitle"),
    facts: [
      ...factsOf(cited, ["SourceType", "ListName", "PositionOnList", "ContentAudience"], context),
      ...ratingOf(cited, context),
      ...contentDatesOf(cited, context),
    ],
    notes: cited.markup("CitationNote"),
    links: cited.all("ResourceLink").map((url) => linkOf(url)),
  }));
}
