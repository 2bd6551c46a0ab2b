/** The markets of a book with its availability in each, and the sales rights (ONIX groups P.21, P.24 and P.26). */
import { betterAvailability, type Market } from "../../client/offers.ts";
import type { BookFields } from "../fields/book-fields.ts";
import { composites, firstText } from "../record/field-access.ts";
import { territoriesOf, territoryText } from "./territories.ts";

/** Returns every market of each ProductSupply. One without a Market is a market without a territory. */
export function marketsOf(supplies: readonly BookFields[]): readonly Market[] {
  const markets: Market[] = [];
  for (const supply of supplies) {
    const availability = supplyAvailability(supply);
    if (supply.Market === undefined) {
      if (availability !== null) markets.push({ territory: null, availability });
      continue;
    }
    for (const market of composites(supply.Market)) {
      markets.push({ territory: territoryText(territoriesOf(market)), availability });
    }
  }
  return markets;
}

/** Returns the best ProductAvailability (list 65) of the suppliers. */
function supplyAvailability(supply: BookFields): string | null {
  let best: string | null = null;
  for (const { ProductAvailability } of composites(supply.SupplyDetail)) {
    const code = firstText(ProductAvailability);
    if (code !== "") best = betterAvailability(best, code);
  }
  return best;
}

/** Returns the best availability of all markets. */
export function availabilityOf(markets: readonly Market[]): string | null {
  let best: string | null = null;
  for (const { availability } of markets) best = betterAvailability(best, availability);
  return best;
}

/** Territories as `territoryText` writes them. ROW is the rest of the world (ROWSalesRightsType). */
export interface Rights {
  readonly exclusive: string | null;
  readonly nonExclusive: string | null;
  readonly notForSale: string | null;
}

/** SalesRightsType (list 46). Type 00 (unknown) is none of them. */
const KINDS: ReadonlyMap<string, keyof Rights> = new Map([
  ["01", "exclusive"],
  ["07", "exclusive"],
  ["02", "nonExclusive"],
  ["08", "nonExclusive"],
  ["03", "notForSale"],
  ["04", "notForSale"],
  ["05", "notForSale"],
  ["06", "notForSale"],
]);
const REST_OF_WORLD: BookFields = { RegionsIncluded: "ROW" };

/** Returns the sales rights, or null without any. Expects the blocks PublishingDetail. */
export function rightsOf(publishing: readonly BookFields[]): Rights | null {
  const exclusive: BookFields[] = [];
  const nonExclusive: BookFields[] = [];
  const notForSale: BookFields[] = [];
  const found = { exclusive, nonExclusive, notForSale };
  for (const { SalesRights, ROWSalesRightsType } of publishing) {
    if (SalesRights === undefined && ROWSalesRightsType === undefined) continue;
    for (const rights of composites(SalesRights)) {
      const kind = KINDS.get(firstText(rights.SalesRightsType));
      if (kind !== undefined) found[kind].push(...territoriesOf(rights));
    }
    const ofRest = KINDS.get(firstText(ROWSalesRightsType));
    if (ofRest !== undefined) found[ofRest].push(REST_OF_WORLD);
  }
  if (exclusive.length + nonExclusive.length + notForSale.length === 0) return null;
  return {
    exclusive: territoryText(exclusive),
    nonExclusive: territoryText(nonExclusive),
    notForSale: territoryText(notForSale),
  };
}
