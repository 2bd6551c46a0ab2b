/** The publisher, the collection and the audience of a book. */
import { nameInWords } from "../record/element-names.ts";
import { type Fact, type Fields, factOf, factsOf, type Shown, type ViewContext } from "../record/fields.ts";
import { type LinkView, websitesOf } from "./links.ts";
import { type IdentifierView, identifiersOf } from "./related.ts";
import { titleOfDetail } from "./title.ts";

interface PublishingView {
  readonly imprints: readonly Shown[];
  readonly publishers: readonly Fact[];
  readonly status: Shown | undefined;
  readonly facts: readonly Fact[];
  readonly websites: readonly LinkView[];
}

export function readPublishing(publishing: Fields, context: ViewContext): PublishingView {
  return {
    imprints: publishing.mapPresent("Imprint", (imprint) => imprint.one("ImprintName")),
    publishers: publishing.flatMap("Publisher", (publisher) => {
      const role = publisher.one("PublishingRole");
      return factOf(role?.text ?? nameInWords("Publisher", context.language), [
        publisher.one("PublisherName"),
      ]);
    }),
    status: publishing.one("PublishingStatus"),
    facts: factsOf(
      publishing,
      ["CityOfPublication", "CountryOfPublication", "PublishingStatusNote", "LatestReprintNumber"],
      context,
    ),
    websites: publishing.flatMap("Publisher", websitesOf),
  };
}

interface CollectionView {
  readonly type: Shown | undefined;
  readonly titles: readonly Shown[];
  readonly facts: readonly Fact[];
  readonly identifiers: readonly IdentifierView[];
}

export function readCollections(descriptive: Fields, context: ViewContext): readonly CollectionView[] {
  return descriptive.composites("Collection").map((collection) => ({
    type: collection.one("CollectionType"),
    titles: collection.mapPresent("TitleDetail", (detail) => {
      detail.code("TitleType");
      return titleOfDetail(detail);
    }),
    facts: [
      ...factsOf(collection, ["SourceName"], context),
      ...collection.flatMap("CollectionSequence", (sequence) => {
        const type = sequence.one("CollectionSequenceTypeName") ?? sequence.one("CollectionSequenceType");
        return factOf(type?.text ?? nameInWords("CollectionSequence", context.language), [
          sequence.one("CollectionSequenceNumber"),
        ]);
      }),
    ],
    identifiers: identifiersOf(collection, "CollectionIdentifier", "CollectionIDType"),
  }));
}

/** ONIX lists 29 and 31. */
const ONIX_AUDIENCE_CODES = "01";
const EXACT = "01";

export function readAudience(descriptive: Fields, context: ViewContext): readonly Fact[] {
  const { language } = context;
  return [
    ...factsOf(descriptive, ["AudienceCode"], context),
    ...descriptive.flatMap("Audience", (audience) => {
      const isOnix = audience.code("AudienceCodeType") === ONIX_AUDIENCE_CODES;
      const types = [
        audience.one("AudienceCodeType"),
        isOnix ? undefined : audience.one("AudienceCodeTypeName"),
      ];
      const typeText = types.flatMap((type) => type?.text ?? []).join(" · ");
      const name = isOnix || !typeText ? nameInWords("Audience", language) : typeText;
      return factOf(name, [...audience.all("AudienceCodeValue"), ...audience.all("AudienceHeadingText")]);
    }),
    ...descriptive.flatMap("AudienceRange", (range) => {
      const qualifier = range.one("AudienceRangeQualifier");
      const text = rangeText(range);
      return factOf(qualifier?.text ?? nameInWords("AudienceRange", language), [text]);
    }),
    ...factsOf(descriptive, ["AudienceDescription"], context),
    ...descriptive.flatMap("Complexity", (complexity) => {
      const scheme = complexity.one("ComplexitySchemeIdentifier");
      return factOf(scheme?.text ?? nameInWords("Complexity", language), complexity.all("ComplexityCode"));
    }),
  ];
}

/** The precisions ("from", "to") and the values of a range belong together by their position. */
function rangeText(range: Fields): Shown | undefined {
  const precisions = range.all("AudienceRangePrecision");
  const values = range.all("AudienceRangeValue");
  if (values.length === 0) return undefined;
  const text = values
    .map((value, index) => {
      const precision = precisions[index];
      return precision && precision.raw !== EXACT ? `${precision.text} ${value.text}` : value.text;
    })
    .join(", ");
  const [first, ...others] = text;
  return {
    text: first!.toUpperCase() + others.join("").replace(/, \p{Lu}/gu, (part) => part.toLowerCase()),
    raw: values.map(({ raw, text }) => raw ?? text).join(" "),
  };
}
