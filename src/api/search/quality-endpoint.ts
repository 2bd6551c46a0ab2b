/** The endpoint /api/quality. */
import type { CatalogQuality, CountedBooks } from "../../catalog/quality/catalog-quality.ts";
import { bandOfKey } from "../../catalog/quality/price-bands.ts";
import { SEARCH_RULES } from "../../catalog/search/search-document.ts";
import { BOOK_NEEDS } from "../../onix/completeness/book-needs.ts";
import { DocumentResult } from "../response/responder.ts";
import type { Endpoint } from "../route.ts";
import { refusable } from "./search-endpoints.ts";

export const getQuality: Endpoint = ({ store }) =>
  refusable(async () => {
    const quality = await store.quality();
    const body = new TextEncoder().encode(JSON.stringify(qualityDocument(quality)));
    return new DocumentResult(body, `${quality.revision}-q${SEARCH_RULES}`, quality.revision);
  });

function qualityDocument(quality: CatalogQuality): unknown {
  const { revision, all, imprints, otherImprints, withoutImprint } = quality;
  const { languages, forms, prices, months } = quality;
  return {
    revision,
    ...countedBooks(all),
    imprints: imprints.map(({ slug, name, ...counted }) => ({ slug, name, ...countedBooks(counted) })),
    otherImprints: { imprints: otherImprints.imprints, ...countedBooks(otherImprints) },
    withoutImprint: countedBooks(withoutImprint),
    languages: languages.values,
    forms: forms.values,
    prices: prices.values.map(({ value, books }) => ({ ...priceBand(value), books })),
    months: months.values,
    unlisted: {
      languages: languages.others,
      forms: forms.others,
      prices: prices.others,
      months: months.others,
    },
  };
}

function priceBand(key: string) {
  const { currency, from, below } = bandOfKey(key);
  return { currency, from, below: below ?? null };
}

function countedBooks({ books, lacks }: CountedBooks) {
  return { books, has: Object.fromEntries(BOOK_NEEDS.map((need) => [need, books - lacks[need]])) };
}
