/** A dozen books of our own for the suites of the API, and the way into a store. */
import { createEntry } from "../../catalog/entry.ts";
import { RevisionSum } from "../../catalog/revision.ts";
import type { Entry, Store } from "../../catalog/store.ts";
import type { Day } from "../../onix/date.ts";
import { type Isbn13, toIsbn10 } from "../../onix/isbn.ts";
import type { BookRecord } from "../../onix/record.ts";

/** The suites' today: the news of 90 days begin with 3 June. */
export const TODAY = "20260901" as Day;

export interface Traits {
  readonly isbn: string;
  readonly title: string;
  readonly imprint?: string;
  readonly languages?: readonly string[];
  readonly published?: string;
  readonly about?: string;
}

/** Long enough to be worth a coding. */
const ABOUT =
  '<p>Línea uno: «niños», 中文, 😀.</p>\n<p>Second line, with a "quote" and a \\ in it.</p>'.repeat(12);

const PI = "Península Imaginaria";

export const BOOKS: readonly Traits[] = [
  {
    isbn: "9789999923019",
    title: "La Odisea",
    imprint: PI,
    languages: ["spa"],
    published: "20260901",
    about: ABOUT,
  },
  { isbn: "9789999923026", title: "Cartas", imprint: PI, languages: ["spa"], published: "20260603" },
  { isbn: "9789999923033", title: "Letters", imprint: PI, languages: ["eng"], published: "20260602" },
  { isbn: "9789999923040", title: "Dos voces", imprint: "PENINSULA IMAGINARIA", languages: ["spa", "eng"] },
  { isbn: "9789999924016", title: "Dix-huit", imprint: "10/18", languages: ["fre"], published: "20260715" },
  { isbn: "9789999924023", title: "Dix-neuf", imprint: "10/18", languages: ["fre"], published: "20260902" },
  {
    isbn: "9789999925013",
    title: "Ñandú",
    imprint: "Editorial Ñandú",
    languages: ["spa"],
    published: "20260715",
  },
  {
    isbn: "9789999926010",
    title: 'Quote"d',
    imprint: 'Moth & "Semicolon" \\ 😀',
    languages: ["eng"],
    about: ABOUT,
  },
  { isbn: "9789999927017", title: "No imprint", languages: ["eng"], published: "20251231" },
  { isbn: "9789999927025", title: "Wrong check digit", imprint: "Zeta", languages: ["mul"] },
  { isbn: "9797999900017", title: "979", imprint: "Zeta", languages: ["spa"], published: "20300101" },
  { isbn: "9789999900010", title: "First", imprint: "Zeta", published: "20240229" },
];

/** In no test's catalog. */
export const UNKNOWN = "9789999999991";

export function recordOf({ isbn, title, imprint, languages = [], published, about }: Traits): BookRecord {
  const isbn10 = toIsbn10(isbn as Isbn13);
  const spoken = languages.map((code) => ({ LanguageRole: "01", LanguageCode: code }));
  return {
    _id: isbn.padStart(24, "0"),
    RecordReference: isbn,
    NotificationType: "03",
    ProductIdentifier: [
      { ProductIDType: "15", IDValue: isbn },
      { ProductIDType: "03", IDValue: isbn },
      ...(isbn10 ? [{ ProductIDType: "02", IDValue: isbn10 }] : []),
    ],
    DescriptiveDetail: {
      ProductComposition: "00",
      ProductForm: "BC",
      NoCollection: [],
      TitleDetail: { TitleType: "01", TitleElement: { TitleElementLevel: "01", TitleText: title } },
      ...(spoken.length > 0 && { Language: spoken.length === 1 ? spoken[0]! : spoken }),
    },
    ...(about && {
      CollateralDetail: { TextContent: [{ TextType: "03", ContentAudience: "00", Text: about }] },
    }),
    PublishingDetail: {
      ...(imprint && { Imprint: [{ ImprintName: imprint }] }),
      ...(published && { PublishingDate: [{ PublishingDateRole: "01", Date: published }] }),
    },
  };
}

export function entry(traits: Traits): Entry {
  return createEntry(recordOf(traits), `ref-${traits.isbn}`, { release: "3.0" });
}

/** The record of a book above, as it must come out of the API. */
export function expected(isbn: string): BookRecord {
  return recordOf(BOOKS.find((book) => book.isbn === isbn)!);
}

/** One import of one feed. */
export async function fill(store: Store, entries: readonly Entry[]): Promise<string> {
  const load = await store.beginImport();
  const revision = new RevisionSum(load.revision);
  for (let at = 0; at < entries.length; at += 1000) {
    const batch = entries.slice(at, at + 1000);
    const held = await load.statusOf(batch.map(({ isbn }) => isbn));
    held.forEach(({ etag }, place) => {
      revision.change(etag, batch[place]!.etag);
    });
    await load.put(batch, 1);
  }
  await load.commit(String(revision));
  return String(revision);
}

/** Many books of one imprint, `bytes` in all. */
export function* shelf(bytes: number): Generator<Entry> {
  const about = ABOUT + ABOUT;
  for (let count = 0, size = 0; size < bytes; count++) {
    const isbn = `97880${String(count).padStart(8, "0")}`;
    const made = entry({ isbn, title: `Book ${count}`, imprint: "Long Shelf", published: "20200101", about });
    size += made.body.length;
    yield made;
  }
}
