/** The client of a Colophon service, for browsers, Node, Bun and Deno. It imports nothing from the rest of Colophon. */

export type { Change, ChangesOptions, ChangesPage } from "./changes.ts";
export {
  Colophon,
  type FacetOptions,
  type Imprint,
  type ListOptions,
  type SearchOptions,
  type ViewOptions,
} from "./colophon.ts";
export type { CodedValue, Described, DescribedTree, DescribedValue } from "./describe.ts";
export { ColophonError, type Problem } from "./errors.ts";
export type * from "./generated/book.ts";
export { authors, cover, many, title } from "./helpers.ts";
export type { Label, Language, Translations } from "./labels.ts";
export type { List, Page } from "./list.ts";
export type { MirrorOptions, MirrorResult, MirrorState, MirrorTarget } from "./mirror.ts";
export { availabilityIn, type Market, type PriceWish, priceFor } from "./offers.ts";
export type {
  Found,
  Highlight,
  LabelledSummary,
  Shaped,
  ShapeOptions,
  SummaryField,
  View,
} from "./shapes.ts";
export type { ClientOptions } from "./transport.ts";
