/** The territories of markets, prices and sales rights as texts (ONIX composite Territory). */
import { covers } from "../../client/offers.ts";
import type { BookFields } from "../fields/book-fields.ts";
import { allOf, composites, texts } from "../record/field-access.ts";

const EXTRA_SPACE = /\s\s|[\t\r\n]/;

/**
 * Returns countries (list 91), then regions (list 49), separated by spaces, then excluded ones with a minus before each:
 * `WORLD -US -CA`. Null without any. Of several territories, it is all that one of them includes.
 */
export function territoryText(territories: readonly BookFields[]): string | null {
  if (territories.length === 0) return null;
  if (territories.length === 1) return joined(partsOf(territories[0]!));
  const all = territories.map(partsOf).map(withWorld);
  const each = all.map((parts) => ({ territory: joined(parts) }));
  const excluded = all.flatMap((parts, place) =>
    parts.excluded
      .split(" ")
      .filter((code) => !each.some((other, index) => index !== place && covers(other.territory, code, []))),
  );
  return joined({
    included: eachOnce(all.flatMap(({ included }) => included.split(" "))),
    excluded: eachOnce(excluded),
  });
}

/** A territory that only excludes is the world without them, which has to be said beside others. */
function withWorld({ included, excluded }: Parts): Parts {
  return { included: included === "" && excluded !== "" ? "WORLD" : included, excluded };
}

function eachOnce(codes: readonly string[]): string {
  return [...new Set(codes)].filter((code) => code !== "").join(" ");
}

/** Returns the Territory composites of a Market, a Price or sales rights. */
export function territoriesOf(fields: BookFields): readonly BookFields[] {
  return fields.Territory === undefined ? NO_TERRITORIES : allOf(fields, "Territory");
}

const NO_TERRITORIES: readonly BookFields[] = composites(undefined);

interface Parts {
  readonly included: string;
  readonly excluded: string;
}

function partsOf(territory: BookFields): Parts {
  return {
    included: codesOf(territory.CountriesIncluded, territory.RegionsIncluded),
    excluded: codesOf(territory.CountriesExcluded, territory.RegionsExcluded),
  };
}

function joined({ included, excluded }: Parts): string | null {
  if (excluded === "") return included || null;
  const marked = `-${excluded.replaceAll(" ", " -")}`;
  return included === "" ? marked : `${included} ${marked}`;
}

/** Returns the codes of both fields, which are lists that are separated by space. */
function codesOf(countries: BookFields["CountriesIncluded"], regions: BookFields["RegionsIncluded"]): string {
  const both = joinTexts(joinTexts("", countries), regions);
  return EXTRA_SPACE.test(both) ? both.trim().replace(/\s+/g, " ") : both;
}

function joinTexts(start: string, value: BookFields["CountriesIncluded"]): string {
  let all = start;
  for (const text of texts(value)) all = all === "" ? text : `${all} ${text}`;
  return all;
}
