/** The prices and the availability of a book (ONIX groups P.24 and P.26). */
import { firstDayOfDate, firstIsoDay, type IsoDay, isoDay, lastIsoDay } from "../date.ts";
import type { BookFields } from "../fields/book-fields.ts";
import { allOf, composites, firstText, texts } from "../record/field-access.ts";

export interface Price {
  /** A decimal number as the feed has it. */
  readonly amount: string;
  /** ISO 4217 (list 96). */
  readonly currency: string | null;
  /** PriceType (list 58). */
  readonly type: string | null;
  /** The first and the last day on which the price holds. */
  readonly from: IsoDay | null;
  readonly until: IsoDay | null;
  /** Countries (list 91) and regions (list 49), separated by spaces; excluded ones with a minus before them. */
  readonly territory: string | null;
}

/** PriceDateRole (list 173). */
const FROM = "14";
const UNTIL = "15";
const FROM_UNTIL = "24";

/** Returns all prices with an amount, in the order of the record. Expects the blocks ProductSupply. */
export function pricesOf(supplies: readonly BookFields[]): readonly Price[] {
  const prices: Price[] = [];
  for (const supply of supplies) {
    let market: readonly BookFields[] | undefined;
    for (const { Price } of composites(supply.SupplyDetail)) {
      for (const price of composites(Price)) {
        const amount = firstText(price.PriceAmount);
        if (amount === "") continue;
        market ??= marketTerritories(supply);
        prices.push(priceOf(price, amount, market));
      }
    }
  }
  return prices;
}

/** Returns the ProductAvailability (list 65) of the first supplier that states one. */
export function availabilityOf(supplies: readonly BookFields[]): string | null {
  for (const supply of supplies) {
    for (const { ProductAvailability } of composites(supply.SupplyDetail)) {
      const code = firstText(ProductAvailability);
      if (code !== "") return code;
    }
  }
  return null;
}

function marketTerritories(supply: BookFields): readonly BookFields[] {
  const territories: BookFields[] = [];
  for (const market of composites(supply.Market)) {
    for (const territory of allOf(market, "Territory")) territories.push(territory);
  }
  return territories;
}

function priceOf(price: BookFields, amount: string, market: readonly BookFields[]): Price {
  const territory = allOf(price, "Territory");
  const { from, until } = periodOf(price);
  return {
    amount,
    currency: firstText(price.CurrencyCode) || null,
    type: firstText(price.PriceType) || null,
    from,
    until,
    // The territory of the market holds for prices that have none of their own.
    territory: territoryText(territory.length > 0 ? territory : market),
  };
}

type Period = Pick<Price, "from" | "until">;

function periodOf({ PriceDate }: BookFields): Period {
  if (PriceDate === undefined) return NO_PERIOD;
  let [from, until]: (IsoDay | null)[] = [null, null];
  for (const date of composites(PriceDate)) {
    const role = firstText(date.PriceDateRole);
    const text = firstText(date.Date);
    const format = firstText(date["Date@dateformat"]) || firstText(date.DateFormat);
    if (role === FROM) from ??= firstIsoDay(text, format);
    else if (role === UNTIL) until ??= lastIsoDay(text, format);
    else if (role === FROM_UNTIL && /^[0-9]{16}$/.test(text)) {
      // Format 06 of list 55: YYYYMMDDYYYYMMDD.
      from ??= isoDay(firstDayOfDate(text.slice(0, 8)));
      until ??= isoDay(firstDayOfDate(text.slice(8)));
    }
  }
  return { from: from ?? null, until: until ?? null };
}

const NO_PERIOD: Period = { from: null, until: null };

/** Countries come before regions, and excluded ones last. */
const TERRITORY_PARTS = [
  { key: "CountriesIncluded", sign: "" },
  { key: "RegionsIncluded", sign: "" },
  { key: "CountriesExcluded", sign: "-" },
  { key: "RegionsExcluded", sign: "-" },
] as const;

function territoryText(territories: readonly BookFields[]): string | null {
  if (territories.length === 0) return null;
  const codes: string[] = [];
  for (const { key, sign } of TERRITORY_PARTS) {
    for (const territory of territories) {
      for (const list of texts(territory[key])) {
        for (const code of list.split(/\s+/)) if (code !== "") codes.push(sign + code);
      }
    }
  }
  return codes.join(" ") || null;
}
