/** Everything that the page shows of a record, in the words of one language. */
import type { Described } from "../../../../client/describe.ts";
import { type Fact, Fields, ReadKeys, type Shown, type ViewContext } from "../record/fields.ts";
import { type TreeNode, treeOf } from "../record/tree.ts";
import { type ContributorsView, type PrizeView, readContributors, readPrizes } from "./contributors.ts";
import { readTimeline, type TimelineDate } from "./dates.ts";
import { type ProductView, readProduct } from "./product.ts";
import {
  type CollectionView,
  type PublishingView,
  readAudience,
  readCollections,
  readPublishing,
} from "./publishing.ts";
import {
  type IdentifierView,
  identifiersOf,
  type RelatedView,
  readRelatedProducts,
  readRelatedWorks,
} from "./related.ts";
import { type ResourceView, readResources } from "./resources.ts";
import { type RightsView, readRights } from "./rights.ts";
import { readSubjects, type SubjectsView } from "./subjects.ts";
import { type OfferView, readOffers } from "./supply.ts";
import { type CitationView, readCitations, readTexts, type TextView } from "./texts.ts";
import { readTitle, type TitleView } from "./title.ts";

export interface BookView {
  readonly isbn: string;
  /** The language of the text, a code of ONIX list 74. */
  readonly textLanguage: string | undefined;
  readonly title: TitleView;
  readonly contributors: ContributorsView;
  readonly publishing: PublishingView;
  readonly product: ProductView;
  readonly collections: readonly CollectionView[];
  readonly subjects: SubjectsView;
  readonly audience: readonly Fact[];
  readonly texts: readonly TextView[];
  readonly citations: readonly CitationView[];
  readonly prizes: readonly PrizeView[];
  readonly resources: readonly ResourceView[];
  readonly timeline: readonly TimelineDate[];
  readonly rights: RightsView;
  readonly relatedProducts: readonly RelatedView[];
  readonly relatedWorks: readonly RelatedView[];
  readonly offers: readonly OfferView[];
  readonly identifiers: readonly IdentifierView[];
  readonly notification: Shown | undefined;
  /** The fields that none of the above shows. */
  readonly remaining: readonly TreeNode[];
  readonly everything: readonly TreeNode[];
}

/** ONIX list 22. */
const LANGUAGE_OF_TEXT = "01";

export function bookViewOf(described: Described, context: ViewContext): BookView {
  const read = new ReadKeys();
  const product = new Fields(described, read);
  const descriptive = product.composite("DescriptiveDetail");
  const collateral = product.composite("CollateralDetail");
  const publishing = product.composite("PublishingDetail");
  // The id of the record says the same as its ISBN.
  product.text("_id");
  const view = {
    isbn: product.text("RecordReference"),
    textLanguage: descriptive
      .composites("Language")
      .find((language) => language.code("LanguageRole") === LANGUAGE_OF_TEXT)
      ?.code("LanguageCode"),
    title: readTitle(descriptive),
    contributors: readContributors(descriptive, context),
    publishing: readPublishing(publishing, context),
    product: readProduct(descriptive, context),
    collections: readCollections(descriptive, context),
    subjects: readSubjects(descriptive),
    audience: readAudience(descriptive, context),
    texts: readTexts(collateral, context),
    citations: readCitations(collateral, context),
    prizes: readPrizes(collateral, context),
    resources: readResources(collateral, context),
    timeline: readTimeline(product, context),
    rights: readRights(publishing, descriptive, context),
    relatedProducts: readRelatedProducts(product, context),
    relatedWorks: readRelatedWorks(product, context),
    offers: readOffers(product, context),
    identifiers: identifiersOf(product, "ProductIdentifier", "ProductIDType"),
    notification: product.one("NotificationType"),
  };
  return { ...view, remaining: treeOf(described, read), everything: treeOf(described) };
}
