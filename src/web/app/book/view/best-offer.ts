/** The price and the availability in the head of the page: those of the summary (docs/summary.md), today. */
import type { Book } from "../../../../client/generated/book.ts";
import { availabilityIn, priceFor } from "../../../../client/offers.ts";
import type { BookFields } from "../../../../onix/fields/book-fields.ts";
import { composites } from "../../../../onix/record/field-access.ts";
import { availabilityOf, marketsOf } from "../../../../onix/summary/markets.ts";
import { pricesOf } from "../../../../onix/summary/prices.ts";
import { amountText } from "../../shared/format/quantities.ts";
import type { Shown, ViewContext } from "../record/fields.ts";
import type { OfferView } from "./supply.ts";

export interface BestOffer {
  readonly amount: Shown | undefined;
  readonly type: Shown | undefined;
  readonly availability: Shown | undefined;
  /** False when the book is sold elsewhere only. */
  readonly isSold: boolean;
}

/** `offers` have the labels of the codes. `market` is a country, or empty for any. */
export function bestOfferOf(
  book: Book,
  offers: readonly OfferView[],
  { language, today }: ViewContext,
  market: string,
): BestOffer {
  const supplies = composites((book as unknown as BookFields).ProductSupply);
  const day = `${today.slice(0, 4)}-${today.slice(4, 6)}-${today.slice(6)}`;
  const price = priceFor(pricesOf(supplies), { day, ...(market && { market }) });
  const markets = marketsOf(supplies);
  const availability = market ? availabilityIn(markets, market) : availabilityOf(markets);
  const types = offers.flatMap(({ prices }) => prices.map(({ type }) => type));
  return {
    amount: price && {
      text: amountText(price.amount!, price.currency ?? "", language),
      raw: price.amount!,
    },
    type: price && types.find((type) => type?.raw === price.type),
    availability: offers.find((offer) => offer.availability?.raw === availability)?.availability,
    isSold: availability !== undefined || markets.length === 0,
  };
}
