/** The price and the availability in the head of the page: those of the summary (docs/summary.md), today. */
import type { Book } from "../../../../client/generated/book.ts";
import { priceFor } from "../../../../client/offers.ts";
import type { BookFields } from "../../../../onix/fields/book-fields.ts";
import { composites } from "../../../../onix/record/field-access.ts";
import { availabilityOf, marketsOf } from "../../../../onix/summary/markets.ts";
import { pricesOf } from "../../../../onix/summary/prices.ts";
import { amountText } from "../../shared/format/quantities.ts";
import type { ViewContext } from "../record/facts.ts";
import type { Shown } from "../record/fields.ts";
import { isAvailable, type OfferView } from "./supply.ts";

export interface BestOffer {
  readonly amount: Shown | undefined;
  readonly type: Shown | undefined;
  readonly availability: Shown | undefined;
  readonly isAvailable: boolean;
}

/** `offers` have the labels of the codes. */
export function bestOfferOf(
  book: Book,
  offers: readonly OfferView[],
  { language, today }: ViewContext,
): BestOffer {
  const supplies = composites((book as unknown as BookFields).ProductSupply);
  const day = `${today.slice(0, 4)}-${today.slice(4, 6)}-${today.slice(6)}`;
  const price = priceFor(pricesOf(supplies), { day });
  const availability = availabilityOf(marketsOf(supplies));
  const types = offers.flatMap(({ prices }) => prices.map(({ type }) => type));
  return {
    amount: price && {
      text: amountText(price.amount!, price.currency ?? "", language),
      raw: price.amount!,
    },
    type: price && types.find((type) => type?.raw === price.type),
    availability: offers.find((offer) => offer.availability?.raw === availability)?.availability,
    isAvailable: isAvailable(availability),
  };
}
