/**
 * Chooses the price and the availability of a book that hold for a buyer: what depends on the day and on the market is
 * not in a summary, and is decided when it is read. docs/summary.md explains the rules. The service uses them too.
 */

/** The members of a price in a summary that decide whether it holds. */
export interface OfferedPrice {
  readonly amount: string | null;
  readonly currency: string | null;
  readonly type: string | null;
  readonly from: string | null;
  readonly until: string | null;
  readonly territory: string | null;
  readonly qualifier: string | null;
  readonly conditions: readonly { readonly type: string | null }[];
  readonly minimumQuantity: number | null;
  readonly constraints?: readonly { readonly type: string | null; readonly status: string | null }[];
  readonly per?: string | null;
}

/** One market of a summary. */
export interface Market {
  /** Null stands for every country. */
  readonly territory: string | null;
  readonly availability: string | null;
}

/** PriceType (list 58) of prices that consumers pay: retail prices, recommended or fixed, also of sales and before publication. */
const RETAIL = new Set("01 02 03 04 11 12 13 14 21 22 23 24 31 33 34 41 42".split(" "));
/** PriceQualifier (list 59): unqualified, and for consumers. */
const UNQUALIFIED = new Set(["00", "05"]);
/** PriceConditionType (list 167). */
const NO_CONDITION = "00";
/** PriceConstraintType (list 230) of what a library pays, or of less than the book for good, and the statuses without a limit. */
const LIMITED_LICENCES: Readonly<Record<string, readonly (string | null)[]>> = {
  // A licence for some time is none without a limit.
  "07": ["01"],
  // Renewed loans, several users at once, loans of libraries: a price for them is no other where they are prohibited.
  "08": ["03"],
  "09": ["03"],
  "16": ["03"],
};
/** PricePer (list 60): a copy of the whole product. */
const PER_COPY = "00";

/** Tells whether any consumer can buy one copy at this price, on the days and in the places that it holds. */
export function isConsumerPrice(
  price: Omit<OfferedPrice, "currency" | "from" | "until" | "territory">,
): boolean {
  return (
    Number(price.amount) > 0 &&
    (price.type === null || RETAIL.has(price.type)) &&
    (price.qualifier === null || UNQUALIFIED.has(price.qualifier)) &&
    (price.minimumQuantity ?? 1) <= 1 &&
    price.conditions.every(({ type }) => type === NO_CONDITION) &&
    (price.constraints ?? []).every(
      ({ type, status }) => LIMITED_LICENCES[type ?? ""]?.includes(status) ?? true,
    ) &&
    (price.per ?? PER_COPY) === PER_COPY
  );
}

export interface PriceWish {
  /** YYYY-MM-DD. Default: today, in UTC. */
  readonly day?: string;
  /** A country of ONIX list 91, such as ES. Default: any. */
  readonly market?: string;
  /** A currency of ONIX list 96, such as EUR. Default: any. */
  readonly currency?: string;
}

/** Returns the price of a book: the first consumer price that holds on the day, in the market and in the currency. */
export function priceFor<Price extends OfferedPrice>(
  prices: readonly Price[],
  { day = new Date().toISOString().slice(0, 10), market, currency }: PriceWish = {},
): Price | undefined {
  const offered = prices.filter(isConsumerPrice);
  return offered.find(
    ({ from, until, territory, currency: own }) =>
      (from === null || from <= day) &&
      (until === null || until >= day) &&
      (currency === undefined || own === currency) &&
      (market === undefined || covers(territory, market, offered)),
  );
}

/**
 * ProductAvailability (list 65), the best first: in stock, available, to order, printed on demand; not yet; temporarily not;
 * ask; no longer, cancelled. Other codes come last.
 */
const AVAILABILITIES =
  "21 20 22 23 11 10 12 32 31 33 30 34 99 44 97 98 45 50 47 42 41 48 43 52 40 51 46 49 09 01".split(" ");

/** Returns the better of two codes, and the first of equal ones. */
export function betterAvailability(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return rankOf(b) < rankOf(a) ? b : a;
}

function rankOf(availability: string): number {
  const rank = AVAILABILITIES.indexOf(availability);
  return rank < 0 ? AVAILABILITIES.length : rank;
}

/**
 * Returns the availability of a book in a country (list 91): the best of the markets that include it. Undefined when no
 * market does; null when none that does has a code.
 */
export function availabilityIn(markets: readonly Market[], country: string): string | null | undefined {
  let best: string | null | undefined;
  for (const { territory, availability } of markets) {
    if (covers(territory, country, markets)) best = betterAvailability(best ?? null, availability);
  }
  return best;
}

/** Countries of the region ECZ (list 49), which use the euro in continental Europe. */
export const EUROZONE = "AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA".split(
  " ",
);

interface InTerritory {
  readonly territory: string | null;
}

/**
 * Tells whether a territory, written as in a summary, includes a country or a part of it. ROW is the rest of the world:
 * the countries that none of the territories beside it names.
 */
export function covers(territory: string | null, country: string, beside: readonly InTerritory[]): boolean {
  if (territory === null) return true;
  const codes = territory.split(" ");
  if (codes.includes(`-${country}`) || (codes.includes("-ECZ") && EUROZONE.includes(country))) return false;
  if (names(codes, country) || codes.includes("WORLD")) return true;
  if (codes.includes("ROW"))
    return !beside.some((other) => names(other.territory?.split(" ") ?? [], country));
  // A territory that only excludes is the world without them.
  return codes.every((code) => code.startsWith("-"));
}

function names(codes: readonly string[], country: string): boolean {
  return codes.some(
    (code) =>
      code === country || code.startsWith(`${country}-`) || (code === "ECZ" && EUROZONE.includes(country)),
  );
}
