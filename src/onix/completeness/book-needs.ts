/**
 * The ten things that bookshops need of a book, and the rule for each. `colophon check`, searches with `lacks` and the
 * quality of a catalog share them. docs/quality.md explains them.
 */
import type { BookFields } from "../fields/book-fields.ts";
import { allOf, composites, firstText, texts } from "../record/field-access.ts";
import type { Summary } from "../summary/summary.ts";
import { BOOK_NEEDS, type BookNeed } from "./needs.ts";

type Rule = (summary: Summary, record: BookFields) => boolean;

/** Tells whether a book has something. What the summary has no field for is read from the record. */
const RULES = {
  title: ({ title }) => title !== null,
  contributor: ({ contributors }, record) => contributors.length > 0 || saysNoContributor(record),
  form: ({ form }) => form !== null,
  subject: ({ subjects }) => subjects.length > 0,
  description: ({ description }) => description !== null,
  cover: ({ cover }) => cover !== null,
  price: ({ prices }: Pick<Summary, "prices">, record: BookFields) =>
    prices.some(({ amount, currency }) => currency !== null && Number(amount) > 0) || saysNoPrice(record),
  availability: ({ availability }: Pick<Summary, "availability">) => availability !== null,
  date: ({ published }) => published !== null,
  audience: ({ audience }, record) => audience.length > 0 || hasOtherAudience(record),
} satisfies Readonly<Record<BookNeed, Rule>>;

const CHECKS = BOOK_NEEDS.map((need, index) => ({ bit: 1 << index, isMet: RULES[need] }));

/** Returns the bits of what a book lacks. */
export function lackingBits(record: BookFields, summary: Summary): number {
  let bits = 0;
  for (const { bit, isMet } of CHECKS) if (!isMet(summary, record)) bits |= bit;
  return bits;
}

/** What depends on the blocks ProductSupply alone, and on fields of the summary that do. */
const SUPPLY_NEEDS = ["price", "availability"] as const;

/** Returns the bits of a book after an update of its blocks ProductSupply alone. The date of publication stays. */
export function lackingBitsAfter(
  before: number,
  update: BookFields,
  summary: Pick<Summary, "prices" | "availability">,
): number {
  let bits = before;
  for (const need of SUPPLY_NEEDS) {
    const bit = 1 << BOOK_NEEDS.indexOf(need);
    bits = RULES[need](summary, update) ? bits & ~bit : bits | bit;
  }
  return bits;
}

/** Returns the names of bits, in their order. */
export function needsOfBits(bits: number): readonly BookNeed[] {
  return BOOK_NEEDS.filter((_, index) => (bits & (1 << index)) !== 0);
}

/** NoContributor (group P.7) states that there is none. */
function saysNoContributor(record: BookFields): boolean {
  return allOf(record, "DescriptiveDetail").some(({ NoContributor }) => NoContributor !== undefined);
}

/** UnpricedItemType (group P.26, list 57) or a coded price stands instead of an amount. */
function saysNoPrice(record: BookFields): boolean {
  return composites(record.ProductSupply).some(({ SupplyDetail }) =>
    composites(SupplyDetail).some(
      ({ UnpricedItemType, Price }) =>
        firstText(UnpricedItemType) !== "" ||
        composites(Price).some(
          (price) => firstText(price.UnpricedItemType) !== "" || composites(price.PriceCoded).length > 0,
        ),
    ),
  );
}

/** The summary has codes of list 28 only. Codes of other schemes and ranges (group P.13) count too. */
function hasOtherAudience(record: BookFields): boolean {
  return allOf(record, "DescriptiveDetail").some(
    ({ Audience, AudienceRange }) =>
      composites(Audience).some(({ AudienceCodeValue }) => firstText(AudienceCodeValue) !== "") ||
      composites(AudienceRange).some(({ AudienceRangeValue }) => texts(AudienceRangeValue).length > 0),
  );
}
