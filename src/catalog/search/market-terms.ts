/**
 * The facts of a book about its markets. A book in many countries has few of them: one for the availability that most
 * countries have, and others for the countries that differ.
 */
import { availabilityIn, EUROZONE, type Market } from "../../client/offers.ts";
import { codesOfList } from "../../onix/code-lists.ts";
import type { FactCondition } from "./query.ts";

/** ONIX list 91. */
const COUNTRIES: ReadonlySet<string> = new Set(codesOfList(91));

/** Begins each term; see `filterTerm`. */
const MARKET = "·m·";
/** Stands for the countries without a term of their own. It is longer than a code. */
const REST = "rest";
/** Begins the terms of countries that are not among the rest. */
const EXCEPT = "not·";
/** Stands for an availability that is no code. */
export const UNKNOWN = "00";
/** A country that no territory names. */
const UNNAMED = "?";

const IS_CODE = /^[0-9]{2}$/;

const soldIn = (place: string, availability: string | null) =>
  `${MARKET}${place}·${availability !== null && IS_CODE.test(availability) ? availability : UNKNOWN}`;
/** The term of a country that is not among the rest. */
export const exceptIn = (country: string) => `${MARKET}${EXCEPT}${country.toLowerCase()}`;

/** Returns what the facts of a book must have that is sold in a country and, if some are given, has one of the availabilities there. */
export function marketCondition(
  markets: readonly string[],
  availabilities: readonly string[] | undefined,
): FactCondition {
  return markets.flatMap((market): FactCondition => {
    const country = market.toLowerCase();
    const without = exceptIn(country);
    if (availabilities === undefined) {
      return [
        { term: `${MARKET}${country}·`, isPrefix: true },
        { term: `${MARKET}${REST}·`, isPrefix: true, without },
      ];
    }
    return availabilities.flatMap((code) => [
      { term: soldIn(country, code) },
      { term: soldIn(REST, code), without },
    ]);
  });
}

/** The terms with an availability: of a country, or of the rest. */
const SOLD = /^·m·(..|rest)·([0-9]{2})$/;
/** Matches the terms of the rest. PostgreSQL understands this expression and the next one. */
export const REST_PATTERN = `^${MARKET}${REST}·`;

/** Returns an expression for the terms with the availability in one of the markets, or that of the rest. */
export function soldPattern(markets: readonly string[]): string {
  return `^${MARKET}(${[...markets.map((market) => market.toLowerCase()), REST].join("|")})·[0-9]{2}$`;
}

/** Returns the availabilities that a book with these facts has in one of the markets, each once. */
export function availabilitiesIn(markets: readonly string[], facts: readonly string[]): readonly string[] {
  const countries = markets.map((market) => market.toLowerCase());
  const codes = new Set<string>();
  for (const fact of facts) {
    const [, place = "", code = UNKNOWN] = SOLD.exec(fact) ?? [];
    const isMeant =
      place === REST
        ? countries.some((country) => !facts.includes(exceptIn(country)))
        : countries.includes(place);
    if (isMeant && code !== UNKNOWN) codes.add(code);
  }
  return [...codes];
}

/** Thousands of books have the same markets. */
const cache = new Map<string, readonly string[]>();
const MAX_CACHED = 1000;

/** Returns the terms of a book. One without markets is sold everywhere. */
export function marketTerms(markets: readonly Market[]): readonly string[] {
  let key = "";
  for (const { territory, availability } of markets) key += `${territory ?? ""}\0${availability ?? ""}\0`;
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  if (cache.size >= MAX_CACHED) cache.clear();
  const terms = makeTerms(markets);
  cache.set(key, terms);
  return terms;
}

/** An availability, or undefined where the book is not sold. */
type Offer = string | null | undefined;

function makeTerms(markets: readonly Market[]): readonly string[] {
  if (markets.length === 0) return [soldIn(REST, null)];
  const offers = new Map<string, Offer>();
  for (const country of namedCountries(markets)) offers.set(country, availabilityIn(markets, country));
  const rest = availabilityIn(markets, UNNAMED);
  const choices = new Set<Offer>([undefined, rest, ...offers.values()]);
  let best: readonly string[] | undefined;
  for (const usual of choices) {
    const terms = termsWith(usual, rest, offers);
    if (best === undefined || terms.length < best.length) best = terms;
  }
  return best!;
}

/** Returns the terms with an offer that countries without a term of their own have. */
function termsWith(usual: Offer, rest: Offer, offers: ReadonlyMap<string, Offer>): readonly string[] {
  const terms = usual === undefined ? [] : [soldIn(REST, usual)];
  const add = (country: string, offer: Offer) => {
    if (offer === usual) return;
    if (usual !== undefined) terms.push(exceptIn(country.toLowerCase()));
    if (offer !== undefined) terms.push(soldIn(country.toLowerCase(), offer));
  };
  for (const [country, offer] of offers) add(country, offer);
  if (rest !== usual) for (const country of COUNTRIES) if (!offers.has(country)) add(country, rest);
  return terms;
}

/** Returns the countries that a territory includes or excludes, also by a part of them. */
function namedCountries(markets: readonly Market[]): ReadonlySet<string> {
  const countries = new Set<string>();
  for (const { territory } of markets) {
    for (const code of territory?.split(" ") ?? []) {
      const place = code.replace(/^-/, "");
      const named = place === "ECZ" ? EUROZONE : [place.replace(/-.*/, "")];
      for (const country of named) if (COUNTRIES.has(country)) countries.add(country);
    }
  }
  return countries;
}
