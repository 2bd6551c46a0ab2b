/** RelatedMaterial and ProductSupply: related products, suppliers and prices. */

import { pick } from "./deterministic.ts";
import { identifier } from "./identifiers.ts";
import { fullTitle, isDigital } from "./products.ts";
import { dateElement, statusOf, territory } from "./publishing.ts";
import type { Product } from "./types.ts";
import { type Element, group, leaf } from "./xml.ts";

function relation(code: string, { isbn, form }: Product, withForm: boolean): Element {
  return group(
    "RelatedProduct",
    leaf("ProductRelationCode", code),
    identifier("15", isbn),
    withForm && leaf("ProductForm", form),
  );
}

function relationCode(from: Product, to: Product): string {
  if (from.form === "AJ" || to.form === "AJ" || isDigital(from.form) === isDigital(to.form)) return "06";
  return isDigital(from.form) ? "13" : "27";
}

/** Returns the original of a translation. Returns undefined when the sample does not contain it. */
function originalOf({ book }: Product, products: Product[]): Product | undefined {
  const originalTitle = book.original?.[1].split("; ")[0];
  if (originalTitle === undefined) return undefined;
  return products.find(
    (other) =>
      other.book !== book && other.book.authors === book.authors && fullTitle(other.book) === originalTitle,
  );
}

export function relatedMaterial(product: Product, products: Product[]): Element | false {
  const { siblings, chance } = product;
  const related = siblings
    .filter((other) => other !== product)
    .map((other) => relation(relationCode(product, other), other, chance(other.isbn) < 0.4));
  const original = originalOf(product, products);
  if (original) related.push(relation("11", original, false));
  return related.length > 0 && group("RelatedMaterial", related);
}

/** The price in euros before the pages are counted, by product form. */
const BASE_EUROS: Record<string, number> = {
  BB: 18,
  BC: 9,
  BE: 15,
  BG: 34,
  BH: 10,
  BO: 32,
  PC: 14,
  SC: 42,
  EA: 4,
  ED: 6,
  AJ: 9,
};
/** Exchange rates of the euro. */
const RATES = { EUR: 1, GBP: 0.87, USD: 1.15, MXN: 20 };
/** Price types (ONIX list 58) by currency. */
const PRICE_TYPES = { EUR: "04", GBP: "02", USD: "01", MXN: "02" };

function amount({ form, book, imprint, chance }: Product): string {
  const euros = BASE_EUROS[form]! + book.pages * (isDigital(form) ? 0.006 : 0.014) + chance("price") * 2;
  const value = euros * RATES[imprint.currency];
  if (imprint.currency === "MXN") return (Math.round(value / 5) * 5 - 1).toFixed(2);
  const ending = imprint.currency === "EUR" ? pick([0.9, 0.5, 0.95], chance("ending")) : 0.99;
  return (Math.floor(value) + ending).toFixed(2);
}

/** Returns the tax for some of the Spanish prices. */
function tax({ imprint, form, chance }: Product, price: string): Element | false {
  if (imprint.country !== "ES" || isDigital(form) || chance("tax") > 0.15) return false;
  const net = (Number(price) / 1.04).toFixed(2);
  return group(
    "Tax",
    leaf("TaxType", "01"),
    leaf("TaxRateCode", "R"),
    leaf("TaxRatePercent", 4),
    leaf("TaxableAmount", net),
    leaf("TaxAmount", (Number(price) - Number(net)).toFixed(2)),
  );
}

function price(product: Product): Element {
  const { imprint, stage, chance } = product;
  if (statusOf(product) === "07") return leaf("UnpricedItemType", "04");
  if (stage === "far" && chance("unpriced") < 0.6) return leaf("UnpricedItemType", "02");
  const value = amount(product);
  return group(
    "Price",
    leaf("PriceType", PRICE_TYPES[imprint.currency]),
    leaf("PriceAmount", value),
    tax(product, value),
    leaf("CurrencyCode", imprint.currency),
    chance("territory") < 0.12 && territory(imprint.currency, false),
  );
}

function availability(product: Product): string {
  const status = statusOf(product);
  if (status === "02") return "10";
  if (status === "07") return "51";
  if (status === "06") return "31";
  return isDigital(product.form)
    ? "20"
    : pick(["21", "21", "20", "22", "23", "32"], product.chance("availability"));
}

/** Returns false for the records without ProductSupply. */
export function productSupply(product: Product): Element | false {
  const { imprint, marketDate, chance } = product;
  if (marketDate === undefined && chance("supply") > 0.55) return false;
  return group(
    "ProductSupply",
    (marketDate !== undefined || chance("market") < 0.1) &&
      group("Market", territory(imprint.currency, chance("world") < 0.5)),
    marketDate !== undefined &&
      group(
        "MarketPublishingDetail",
        leaf("MarketPublishingStatus", "04"),
        group("MarketDate", leaf("MarketDateRole", "01"), dateElement(marketDate)),
      ),
    group(
      "SupplyDetail",
      group(
        "Supplier",
        leaf("SupplierRole", chance("supplier") < 0.7 ? "02" : "03"),
        leaf("SupplierName", imprint.supplier),
      ),
      leaf("ProductAvailability", availability(product)),
      price(product),
    ),
  );
}
