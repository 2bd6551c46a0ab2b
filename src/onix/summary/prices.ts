/** The prices and the availability of a book (ONIX groups P.24 and P.26). */
import { firstDayOfDate } from "../date.ts";
import { allOf, composites, firstText, texts } from "../record/field-access.ts";
import type { RecordFields } from "../record/record-fields.ts";
import { firstIsoDay, type IsoDay, isoDay, lastIsoDay } from "./iso-day.ts";

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

/** Returns all prices with an amount, in the order of the record. */
export function pricesOf(record: RecordFields): readonly Price[] {
  return composites(record.ProductSupply).flatMap((supply) => {
    const market = composites(supply.Market).flatMap((each) => allOf(each, "Territory"));
    return composites(supply.SupplyDetail)
      .flatMap(({ Price }) => composites(Price))
      .filter(({ PriceAmount }) => firstText(PriceAmount) !== "")
      .map((price) => priceOf(price, market));
  });
}

/** Returns the ProductAvailability (list 65) of the first supplier that states one. */
export function availabilityOf(record: RecordFields): string | null {
  for (const supply of composites(record.ProductSupply)) {
    for (const { ProductAvailability } of composites(supply.SupplyDetail)) {
      const code = firstText(ProductAvailability);
      if (code !== "") return code;
    }
  }
  return null;
}

function priceOf(price: RecordFields, market: readonly RecordFields[]): Price {
  const territory = allOf(price, "Territory");
  return {
    amount: firstText(price.PriceAmount),
    currency: firstText(price.CurrencyCode) || null,
    type: firstText(price.PriceType) || null,
    ...periodOf(price),
    // The territory of the market holds for prices that have none of their own.
    territory: territoryText(territory.length > 0 ? territory : market),
  };
}

function periodOf(price: RecordFields): Pick<Price, "from" | "until"> {
  let [from, until]: (IsoDay | null)[] = [null, null];
  for (const date of composites(price.PriceDate)) {
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

function territoryText(territories: readonly RecordFields[]): string | null {
  const codes = (name: string) => territories.flatMap((each) => texts(each[name])).flatMap(splitCodes);
  const included = [...codes("CountriesIncluded"), ...codes("RegionsIncluded")];
  const excluded = [...codes("CountriesExcluded"), ...codes("RegionsExcluded")];
  return [...included, ...excluded.map((code) => `-${code}`)].join(" ") || null;
}

function splitCodes(list: string): string[] {
  return list.split(/\s+/).filter((code) => code !== "");
}
