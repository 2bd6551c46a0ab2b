/** The prices of a book (ONIX group P.26). */
import { firstIsoDay, type IsoDay, isSpread, lastIsoDay } from "../date.ts";
import type { BookFields } from "../fields/book-fields.ts";
import { composites, firstText, wholeNumber } from "../record/field-access.ts";
import { readAmount, unreadable, type ValueProblem } from "./amount.ts";
import { territoriesOf, territoryText } from "./territories.ts";

export interface Price {
  /** A decimal number with a point. Null when what was sent cannot be read as one. */
  readonly amount: string | null;
  /** ISO 4217 (list 96). */
  readonly currency: string | null;
  /** PriceType (list 58). */
  readonly type: string | null;
  /** The first and the last day on which the price holds. */
  readonly from: IsoDay | null;
  readonly until: IsoDay | null;
  /** As `territoryText` writes it. */
  readonly territory: string | null;
  /** PriceQualifier (list 59): for whom the price is. */
  readonly qualifier: string | null;
  readonly conditions: readonly PriceCondition[];
  /** MinimumOrderQuantity. */
  readonly minimumQuantity: number | null;
  readonly taxes: readonly Tax[];
  /** There when the price has some. */
  readonly constraints?: readonly PriceConstraint[];
  /** PricePer (list 60): what the price is for, when it was sent. */
  readonly per?: string | null;
}

/** One for each limit of a PriceConstraint, such as the seven days of a licence, or one without a limit. */
export interface PriceConstraint {
  /** PriceConstraintType (list 230). */
  readonly type: string | null;
  /** PriceConstraintStatus (list 146). */
  readonly status: string | null;
  readonly quantity: string | null;
  /** PriceConstraintUnit (list 147). */
  readonly unit: string | null;
}

/** One for each quantity of a PriceCondition, such as the seven days of a rental, or one without a quantity. */
export interface PriceCondition {
  /** PriceConditionType (list 167). */
  readonly type: string | null;
  readonly quantity: string | null;
  /** QuantityUnit (list 169). */
  readonly unit: string | null;
}

/** Numbers are read as amounts are. */
export interface Tax {
  /** TaxType (list 171). */
  readonly type: string | null;
  /** TaxRateCode (list 62). */
  readonly rate: string | null;
  readonly percent: string | null;
  /** The part of the price that is taxed, and the tax on it. */
  readonly taxable: string | null;
  readonly amount: string | null;
}

/** PriceDateRole (list 173). */
const FROM = "14";
const UNTIL = "15";
const FROM_UNTIL = "24";

/** Returns all prices with a PriceAmount, in the order of the record. Expects the blocks ProductSupply. */
export function pricesOf(supplies: readonly BookFields[]): readonly Price[] {
  const prices: Price[] = [];
  for (const supply of supplies) {
    let market: string | null | undefined;
    for (const { Price } of composites(supply.SupplyDetail)) {
      for (const price of composites(Price)) {
        const { PriceAmount } = price;
        if (PriceAmount === undefined) continue;
        if (market === undefined) market = marketTerritory(supply);
        // The territory of the market holds for prices that have none of their own.
        const territory = territoryText(territoriesOf(price)) ?? market;
        prices.push(priceOf(price, firstText(PriceAmount), territory));
      }
    }
  }
  return prices;
}

function marketTerritory({ Market }: BookFields): string | null {
  return Market === undefined ? null : territoryText(composites(Market).flatMap(territoriesOf));
}

function priceOf(price: BookFields, amount: string, territory: string | null): Price {
  const { from, until } = periodOf(price);
  return {
    amount: readAmount(amount),
    currency: firstText(price.CurrencyCode) || null,
    type: firstText(price.PriceType) || null,
    from,
    until,
    territory,
    qualifier: firstText(price.PriceQualifier) || null,
    conditions: conditionsOf(price),
    minimumQuantity: wholeNumber(firstText(price.MinimumOrderQuantity)) ?? null,
    taxes: taxesOf(price),
    ...(price.PriceConstraint !== undefined && {
      constraints: constraintsOf(composites(price.PriceConstraint)),
    }),
    ...(price.PricePer !== undefined && { per: firstText(price.PricePer) || null }),
  };
}

function constraintsOf(composed: readonly BookFields[]): readonly PriceConstraint[] {
  return composed.flatMap((constraint) => {
    const type = firstText(constraint.PriceConstraintType) || null;
    const status = firstText(constraint.PriceConstraintStatus) || null;
    const limits = composites(constraint.PriceConstraintLimit);
    if (limits.length === 0) return [{ type, status, quantity: null, unit: null }];
    return limits.map(({ Quantity, PriceConstraintUnit }) => {
      const unit = firstText(PriceConstraintUnit) || null;
      return { type, status, quantity: readAmount(firstText(Quantity)), unit };
    });
  });
}

function conditionsOf({ PriceCondition }: BookFields): readonly PriceCondition[] {
  if (PriceCondition === undefined) return NONE;
  const conditions: PriceCondition[] = [];
  for (const condition of composites(PriceCondition)) {
    const type = firstText(condition.PriceConditionType) || null;
    const quantities = composites(condition.PriceConditionQuantity);
    if (quantities.length === 0) conditions.push({ type, quantity: null, unit: null });
    for (const { Quantity, QuantityUnit } of quantities) {
      const unit = firstText(QuantityUnit) || null;
      conditions.push({ type, quantity: readAmount(firstText(Quantity)), unit });
    }
  }
  return conditions;
}

function taxesOf({ Tax }: BookFields): readonly Tax[] {
  if (Tax === undefined) return NONE;
  const taxes: Tax[] = [];
  for (const tax of composites(Tax)) {
    taxes.push({
      type: firstText(tax.TaxType) || null,
      rate: firstText(tax.TaxRateCode) || null,
      percent: readAmount(firstText(tax.TaxRatePercent)),
      taxable: readAmount(firstText(tax.TaxableAmount)),
      amount: readAmount(firstText(tax.TaxAmount)),
    });
  }
  return taxes;
}

const NONE: readonly never[] = [];

type Period = Pick<Price, "from" | "until">;

/** A date that cannot be read limits nothing, and the import has warned. */
function periodOf({ PriceDate }: BookFields): Period {
  if (PriceDate === undefined) return NO_PERIOD;
  let [from, until]: (IsoDay | null)[] = [null, null];
  for (const date of composites(PriceDate)) {
    const format = firstText(date["Date@dateformat"]) || firstText(date.DateFormat);
    const period = periodOfDate(firstText(date.PriceDateRole), firstText(date.Date), format);
    from ??= period?.from;
    until ??= period?.until;
  }
  return { from: from ?? null, until: until ?? null };
}

/** Other roles limit nothing. Returns undefined when the date cannot be read. */
function periodOfDate(role: string, text: string, format: string): Period | undefined {
  const hasFrom = role === FROM || role === FROM_UNTIL;
  const hasUntil = role === UNTIL || role === FROM_UNTIL;
  if (!hasFrom && !hasUntil) return NO_PERIOD;
  const from = hasFrom ? firstIsoDay(text, format) : null;
  const until = hasUntil ? lastIsoDay(text, format) : null;
  if ((hasFrom && from === null) || (hasUntil && until === null)) return undefined;
  if (from === null || until === null) return { from, until };
  return isSpread(text, format) && from <= until ? { from, until } : undefined;
}

const NO_PERIOD: Period = { from: null, until: null };

/** Returns undefined for a PriceDate that can be read, or that limits nothing. */
export function periodProblem(role: string, text: string, format: string): ValueProblem | undefined {
  if (periodOfDate(role, text, format) !== undefined) return undefined;
  const expected = role === FROM_UNTIL ? "a spread of dates" : "a date";
  return unreadable("The Date of a PriceDate", text, expected);
}
