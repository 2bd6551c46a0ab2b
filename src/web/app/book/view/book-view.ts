/** Everything that the page shows of a record, in the words of one language. */
import type { Described } from "../../../../client/describe.ts";
import { Fields, ReadKeys, type ViewContext } from "../record/fields.ts";
import { treeOf } from "../record/tree.ts";
import { readContributors, readPrizes } from "./contributors.ts";
import { readTimeline } from "./dates.ts";
import { readProduct } from "./product.ts";
import { readAudience, readCollections, readPublishing } from "./publishing.ts";
import { identifiersOf, readRelatedProducts, readRelatedWorks } from "./related.ts";
import { readResources } from "./resources.ts";
import { readRights } from "./rights.ts";
import { readSubjects } from "./subjects.ts";
import { readOffers } from "./supply.ts";
import { readCitations, readTexts } from "./texts.ts";
import { readTitle } from "./title.ts";

export type BookView = Readonly<ReturnType<typeof bookViewOf>>;

/** ONIX list 22. */
const LANGUAGE_OF_TEXT = "01";

export function bookViewOf(described: Described, context: ViewContext) {
  const read = new ReadKeys();
  const product = new Fields(described, read);
  const descriptive = product.composite("DescriptiveDetail");
  const collateral = product.composite("CollateralDetail");
  const publishing = product.composite("PublishingDetail");
  // The id of the record says the same as its ISBN.
  product.text("_id");
  const view = {
    isbn: product.text("RecordReference"),
    /** The language of the text, a code of ONIX list 74. */
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
  // Now it is known which fields none of the above shows.
  return { ...view, remaining: treeOf(described, read), everything: treeOf(described) };
}
