import { expect, test } from "bun:test";
import fc from "fast-check";
import { availabilityIn, type Market } from "../../client/offers.ts";
import { categoryOf, codeLists } from "../../onix/code-lists.ts";
import { marketCondition, marketTerms } from "./market-terms.ts";

const COUNTRIES = codeLists[categoryOf(91)!]!.codes.map(([code]) => code);
const market = (territory: string | null, availability: string | null): Market => ({
  territory,
  availability,
});

function isFound(markets: readonly Market[], country: string, availability?: string): boolean {
  const terms = marketTerms(markets);
  return marketCondition([country], availability === undefined ? undefined : [availability]).some(
    ({ term, isPrefix, without }) =>
      terms.some((each) => (isPrefix ? each.startsWith(term) : each === term)) &&
      (without === undefined || !terms.includes(without)),
  );
}

test.each([
  ["no market", [], 1],
  ["no territory", [market(null, "20")], 1],
  ["the world", [market("WORLD", "20")], 1],
  ["the world without a country", [market("WORLD -ES", "20")], 2],
  ["one country", [market("ES", "20")], 1],
  ["two markets", [market("ES", "20"), market("ROW", "31")], 3],
  ["all countries but four", [market(COUNTRIES.slice(4).join(" "), "20")], 5],
  ["half of the countries", [market(COUNTRIES.slice(126).join(" "), "20")], 126],
])("a book with %s has few terms", (_, markets, count) => {
  expect(marketTerms(markets)).toHaveLength(count);
});

test("a malformed availability is not taken for another market", () => {
  marketTerms([market("ES", "20\nFR\n21")]);
  expect(marketTerms([market("ES", "20"), market("FR", "21")])).toHaveLength(2);
});

test("the terms of any markets find a book exactly where it is sold, with its availability there", () => {
  const code = fc.constantFrom(..."ES US GB FR WORLD ROW ECZ GB-ENG XX -ES -GB-SCT -US".split(" "));
  const territory = fc.option(fc.array(code, { minLength: 1, maxLength: 4 }).map((codes) => codes.join(" ")));
  const availability = fc.option(fc.constantFrom("20", "31", "In stock"));
  fc.assert(
    fc.property(
      fc.array(fc.record({ territory, availability }), { minLength: 1, maxLength: 3 }),
      (markets) => {
        for (const country of ["ES", "US", "GB", "FR", "DE", "JP"]) {
          const offer = availabilityIn(markets, country);
          expect(isFound(markets, country)).toBe(offer !== undefined);
          for (const each of ["20", "31"]) expect(isFound(markets, country, each)).toBe(offer === each);
        }
      },
    ),
    { numRuns: 1000 },
  );
});
