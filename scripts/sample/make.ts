/**
 * Writes the sample catalog, an ONIX 3.1 feed, to standard output:
 *   bun scripts/sample/make.ts > sample/catalog.xml
 * It writes the same bytes in every run: nothing depends on the clock or on random numbers.
 */

import { IMPRINTS } from "./books/index.ts";
import { SENT_DATE_TIME } from "./calendar.ts";
import { collateralDetail } from "./collateral.ts";
import { descriptiveDetail } from "./descriptive.ts";
import { identifiersOf } from "./identifiers.ts";
import { planProducts } from "./products.ts";
import { publishingDetail } from "./publishing.ts";
import { productSupply, relatedMaterial } from "./supply.ts";
import type { Product } from "./types.ts";
import { type Element, group, leaf, print } from "./xml.ts";

const NOTE =
  "A sample. The works are in the public domain or invented; publishers, imprints, ISBNs, prices, " +
  "translators and editions are all invented.";

/** Notification types (ONIX list 1) by stage. */
const NOTIFICATION_TYPES = { old: "03", recent: "03", soon: "02", far: "01" };

function productElement(product: Product, products: Product[]): Element {
  return group(
    "Product",
    leaf("RecordReference", product.reference),
    leaf("NotificationType", NOTIFICATION_TYPES[product.stage]),
    identifiersOf(product),
    descriptiveDetail(product, products),
    collateralDetail(product),
    publishingDetail(product),
    relatedMaterial(product, products),
    productSupply(product),
  );
}

const header = group(
  "Header",
  group("Sender", leaf("SenderName", "Colophon sample catalog")),
  leaf("SentDateTime", SENT_DATE_TIME),
  leaf("MessageNote", NOTE),
);

const products = planProducts(IMPRINTS);
const message = group(
  "ONIXMessage",
  header,
  products.map((product) => productElement(product, products)),
);
message.attributes = { release: "3.1", xmlns: "http://ns.editeur.org/onix/3.1/reference" };

process.stdout.write(
  `<?xml version="1.0" encoding="UTF-8"?>\n<!-- ${NOTE} Made by scripts/sample/make.ts. -->\n${print(message)}`,
);
