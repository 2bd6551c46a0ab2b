/** Prices and availability: one offer per supplier and market, with its prices. */
import { readAmount } from "../../../../onix/summary/amount.ts";
import { amountText, numberText } from "../../shared/format/quantities.ts";
import { nameInWords } from "../record/element-names.ts";
import { type Fact, type Fields, factOf, factsOf, type Shown, type ViewContext } from "../record/fields.ts";
import { type OnixDate, onixDate } from "./dates.ts";
import { type LinkView, websitesOf } from "./links.ts";
import { territoryText } from "./territory.ts";

export interface OfferView {
  readonly supplier: Shown | undefined;
  readonly supplierRole: Shown | undefined;
  readonly market: string;
  readonly marketFacts: readonly Fact[];
  readonly availability: Shown | undefined;
  readonly facts: readonly Fact[];
  readonly websites: readonly LinkView[];
  readonly prices: readonly PriceView[];
}

export interface PriceView {
  /** Undefined for a book without a price. */
  readonly amount: Shown | undefined;
  readonly currency: Shown | undefined;
  readonly type: Shown | undefined;
  /** Why there is no amount. */
  readonly unpriced: Shown | undefined;
  readonly territory: string;
  readonly dates: readonly PriceDate[];
  readonly isExpired: boolean;
  readonly facts: readonly Fact[];
}

export interface PriceDate extends OnixDate {
  readonly role: Shown | undefined;
}

/** ONIX list 173. */
const [FROM, UNTIL, FROM_UNTIL] = ["14", "15", "24"];

export function readOffers(product: Fields, context: ViewContext): readonly OfferView[] {
  const offers = product.flatMap("ProductSupply", (supply) => {
    const market = territoryText(supply.composites("Market"), context);
    const marketFacts = factsOf(
      supply.composite("MarketPublishingDetail"),
      ["MarketPublishingStatus", "MarketPublishingStatusNote"],
      context,
    );
    const details = supply.composites("SupplyDetail");
    // A status of the market is shown without an offer, too: as one without fields.
    const shown =
      details.length === 0 && marketFacts.length > 0 ? [supply.composite("SupplyDetail")] : details;
    return shown.map((detail) => offerOf(detail, market, marketFacts, context));
  });
  return merged(offers, withoutMarkets, (one, other) => ({
    ...one,
    market: bothOf(one.market, other.market),
    prices: one.prices.map((price, index) => ({
      ...price,
      territory: bothOf(price.territory, other.prices[index]!.territory),
    })),
  }));
}

/** The fields that have to be equal in offers of several markets that are shown as one. */
function withoutMarkets({ market, prices, ...offer }: OfferView): unknown {
  return [offer, market === "", prices.map(withoutTerritory)];
}

function withoutTerritory({ territory, ...price }: PriceView): unknown {
  return [price, territory === ""];
}

/** Joins those that are equal but for their territories. Each stays at the place of the first one. */
function merged<T>(
  all: readonly T[],
  essence: (one: T) => unknown,
  join: (one: T, other: T) => T,
): readonly T[] {
  const byEssence = new Map<string, T>();
  for (const each of all) {
    const key = JSON.stringify(essence(each));
    const known = byEssence.get(key);
    byEssence.set(key, known === undefined ? each : join(known, each));
  }
  return [...byEssence.values()];
}

function bothOf(territory: string, other: string): string {
  return territory === other ? territory : `${territory}; ${other}`;
}

function offerOf(
  detail: Fields,
  market: string,
  marketFacts: readonly Fact[],
  context: ViewContext,
): OfferView {
  const supplier = detail.composite("Supplier");
  const unpriced = detail.one("UnpricedItemType");
  const prices = detail.composites("Price").map((price) => priceOf(price, context));
  return {
    supplier: supplier.one("SupplierName"),
    supplierRole: supplier.one("SupplierRole"),
    market,
    marketFacts,
    availability: detail.one("ProductAvailability"),
    facts: [
      ...factsOf(supplier, ["TelephoneNumber", "EmailAddress"], context),
      ...detail.flatMap("Stock", (stock) => factsOf(stock, ["OnHand", "OnOrder"], context)),
      ...factsOf(detail, ["PackQuantity", "OrderQuantityMinimum", "OrderTime"], context),
      ...detail.flatMap("ReturnsConditions", (each) => returnsOf(each, context)),
    ],
    websites: websitesOf(supplier),
    prices: merged(
      unpriced ? [...prices, priceWithout(unpriced)] : prices,
      withoutTerritory,
      (one, other) => ({
        ...one,
        territory: bothOf(one.territory, other.territory),
      }),
    ),
  };
}

/** ONIX list 65: 20 to 23 can be ordered and delivered now. */
export function isAvailable({ raw }: Shown): boolean {
  return /^2[0-3]$/.test(raw ?? "");
}

function returnsOf(returns: Fields, context: ViewContext): readonly Fact[] {
  const type = returns.one("ReturnsCodeType");
  const values = [...returns.all("ReturnsCode"), ...returns.all("ReturnsNote")];
  return factOf(type?.text ?? nameInWords("ReturnsConditions", context.language), values);
}

function priceWithout(unpriced: Shown): PriceView {
  return {
    amount: undefined,
    currency: undefined,
    type: undefined,
    unpriced,
    territory: "",
    dates: [],
    isExpired: false,
    facts: [],
  };
}

function priceOf(price: Fields, context: ViewContext): PriceView {
  const { language } = context;
  const amount = price.one("PriceAmount");
  const currency = price.one("CurrencyCode");
  const dates = price.composites("PriceDate").map((date) => ({
    role: date.one("PriceDateRole"),
    ...onixDate(date, context),
  }));
  return {
    amount: amount && {
      text: amountText(
        readAmount(amount.text) ?? amount.text,
        currency?.raw ?? currency?.text ?? "",
        language,
      ),
      raw: amount.text,
    },
    currency,
    type: price.one("PriceType"),
    unpriced: price.one("UnpricedItemType"),
    territory: territoryText([price], context),
    dates: dates.filter(({ shown }) => shown !== undefined),
    isExpired: dates.some(
      ({ role, lastDay }) =>
        (role?.raw === UNTIL || role?.raw === FROM_UNTIL) && lastDay !== undefined && lastDay < context.today,
    ),
    facts: [
      ...factsOf(
        price,
        ["PriceQualifier", "PriceTypeDescription", "PricePer", "MinimumOrderQuantity"],
        context,
      ),
      ...factsOf(price, ["PriceStatus"], context),
      ...price.flatMap("Tax", (tax) => taxOf(tax, currency, context)),
      ...price.flatMap("Discount", (discount) =>
        factsOf(discount, ["DiscountPercent", "DiscountAmount"], context),
      ),
      ...factsOf(price, ["PrintedOnProduct", "PositionOnProduct"], context),
    ],
  };
}

function taxOf(tax: Fields, currency: Shown | undefined, { language }: ViewContext): readonly Fact[] {
  const type = tax.one("TaxType") ?? tax.one("TaxRateCode");
  const percent = tax.one("TaxRatePercent");
  return factOf(type?.text ?? nameInWords("Tax", language), [
    percent && { text: `${numberText(percent.text, language)} %`, raw: percent.text },
    ...tax.all("TaxAmount").map(({ text }) => ({
      text: amountText(text, currency?.raw ?? "", language),
      raw: text,
    })),
  ]);
}

/** Returns the dates of a price in their order: from, until, others. */
export function orderedDates(dates: readonly PriceDate[]): readonly PriceDate[] {
  const place = ({ role }: PriceDate) => (role?.raw === FROM ? 0 : role?.raw === UNTIL ? 1 : 2);
  return [...dates].sort((a, b) => place(a) - place(b));
}
