/** The quality of a catalog in memory, for tests: plain loops over all books. It has no limits. */
import { needsOfBits } from "../../onix/completeness/book-needs.ts";
import { BOOK_NEEDS } from "../../onix/completeness/needs.ts";
import { searchDocumentOfEntry } from "../entry.ts";
import {
  type CatalogQuality,
  type CountedBooks,
  type Distribution,
  noLacks,
} from "../quality/catalog-quality.ts";
import type { SearchDocument } from "../search/search-document.ts";
import type { Entry } from "../store.ts";

export function qualityModel(entries: Iterable<Entry>): Omit<CatalogQuality, "revision"> {
  const all = [...entries];
  const books = all.map(searchDocumentOfEntry);
  const slugs = [...new Set(all.flatMap(({ imprint }) => imprint?.slug ?? []))];
  const imprints = slugs.map((slug) => ({
    slug,
    name: nameOf(all, slug),
    ...counted(books.filter(({ imprint }) => imprint === slug)),
  }));
  const months = all.flatMap(({ published }) => published?.slice(0, 6) ?? []);
  return {
    isComplete: true,
    all: counted(books),
    imprints: imprints.sort((a, b) => b.books - a.books || (a.slug < b.slug ? -1 : 1)),
    otherImprints: { imprints: 0, ...counted([]) },
    withoutImprint: counted(books.filter(({ imprint }) => imprint === undefined)),
    languages: distribution(books.flatMap(({ languages }) => languages)),
    forms: distribution(books.flatMap(({ form }) => form ?? [])),
    prices: distribution(books.flatMap(({ prices }) => prices)),
    months: distribution(months, (a, b) => (a.value > b.value ? -1 : 1)),
  };
}

function counted(books: readonly SearchDocument[]): CountedBooks {
  const lacks = noLacks();
  for (const need of BOOK_NEEDS) {
    lacks[need] = books.filter((book) => needsOfBits(book.lacks).includes(need)).length;
  }
  return { books: books.length, lacks };
}

type Value = Distribution["values"][number];

function distribution(
  values: readonly string[],
  order = (a: Value, b: Value) => b.books - a.books || (a.value < b.value ? -1 : 1),
): Distribution {
  const counts = Array.from(
    Map.groupBy(values, (value) => value),
    ([value, all]) => ({ value, books: all.length }),
  );
  return { values: counts.sort(order), distinct: counts.length, others: 0 };
}

/** The spelling that most records use, on a tie the first. */
function nameOf(entries: readonly Entry[], slug: string): string {
  const names = entries.flatMap(({ imprint }) => (imprint?.slug === slug ? [imprint.name] : []));
  return distribution(names).values[0]!.value;
}
