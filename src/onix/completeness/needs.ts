/** What a shop needs to know of a product, and the number that says what a product has of it. */

/** The order is the order of the bits. */
export const NEEDS = [
  { name: "title", element: "TitleDetail", hint: "a TitleDetail with a title" },
  { name: "contributor", element: "Contributor", hint: "a Contributor or NoContributor" },
  { name: "form", element: "ProductForm", hint: "a ProductForm" },
  { name: "language", element: "Language", hint: "a Language of the text or audio" },
  { name: "subject", element: "Subject", hint: "a Subject with a code or a heading" },
  { name: "description", element: "TextContent", hint: "a TextContent of type 03, 02 or 05" },
  {
    name: "cover",
    element: "SupportingResource",
    hint: "a SupportingResource of content type 01 or 03 and mode 03 with an http or https link",
  },
  { name: "publisher", element: "Publisher", hint: "an Imprint or a Publisher with a name" },
  { name: "publication date", element: "PublishingDate", hint: "a PublishingDate or MarketDate of role 01" },
  { name: "publishing status", element: "PublishingStatus", hint: "a PublishingStatus" },
  { name: "availability", element: "ProductAvailability", hint: "a ProductAvailability" },
  { name: "price", element: "Price", hint: "a Price with an amount and a currency, or an UnpricedItemType" },
  { name: "audience", element: "Audience", hint: "an Audience or an AudienceRange" },
] as const;

export type NeedName = (typeof NEEDS)[number]["name"];

/** Ten of them have a name in the API. The order is the order of the bits, which stores hold. */
export const BOOK_NEEDS = [
  "title",
  "contributor",
  "form",
  "subject",
  "description",
  "cover",
  "price",
  "availability",
  "date",
  "audience",
] as const;

export type BookNeed = (typeof BOOK_NEEDS)[number];

/** Returns the name that `colophon check` has for it. */
export function needNameOf(need: BookNeed): NeedName {
  return need === "date" ? "publication date" : need;
}

export function bitOf(name: NeedName): number {
  return 1 << NEEDS.findIndex((need) => need.name === name);
}

/** The needs that were looked for are the lower half of the number; those that are unmet, the upper half. */
const HALF_BITS = 16;

export function assessedNeeds(completeness: number): number {
  return completeness & ((1 << HALF_BITS) - 1);
}

export function unmetNeeds(completeness: number): number {
  return completeness >>> HALF_BITS;
}

export function completenessOf(assessed: number, unmet: number): number {
  return assessed | (unmet << HALF_BITS);
}
