/** The catalog that the tests of the API run on. */

import type { Entry } from "../../catalog/store.ts";
import { createEntry } from "../../catalog/testing/entries.ts";
import type { Day } from "../../onix/date.ts";
import { type Isbn13, toIsbn10 } from "../../onix/isbn.ts";
import type { BookRecord } from "../../onix/record/record-fields.ts";

/** The date of all tests. The 90 days of /api/news start on 3 June 2026. */
export const TODAY = "20260901" as Day;

export interface TestBook {
  readonly isbn: string;
  readonly title: string;
  readonly imprint?: string;
  readonly languages?: readonly string[];
  readonly published?: string;
  readonly description?: string;
}

/** Long enough for a record to be compressed. */
const LONG_DESCRIPTION =
  '<p>Línea uno: «niños», 中文, 😀.</p>\n<p>Second line, with a "quote" and a \\ in it.</p>'.repeat(12);

const PENINSULA = "Península Imaginaria";

export const BOOKS: readonly TestBook[] = [
  {
    isbn: "9789999923019",
    title: "La Odisea",
    imprint: PENINSULA,
    languages: ["spa"],
    published: "20260901",
    description: LONG_DESCRIPTION,
  },
  { isbn: "9789999923026", title: "Cartas", imprint: PENINSULA, languages: ["spa"], published: "20260603" },
  { isbn: "9789999923033", title: "Letters", imprint: PENINSULA, languages: ["eng"], published: "20260602" },
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
    description: LONG_DESCRIPTION,
  },
  { isbn: "9789999927017", title: "No imprint", languages: ["eng"], published: "20251231" },
  { isbn: "9789999927025", title: "Wrong check digit", imprint: "Zeta", languages: ["mul"] },
  { isbn: "9797999900017", title: "979", imprint: "Zeta", languages: ["spa"], published: "20300101" },
  { isbn: "9789999900010", title: "First", imprint: "Zeta", published: "20240229" },
];

/** No catalog of the tests has it. */
export const UNKNOWN_ISBN = "9789999999991";

export function recordOf(book: TestBook): BookRecord {
  const { isbn, title, imprint, languages = [], published, description } = book;
  const isbn10 = toIsbn10(isbn as Isbn13);
  const textLanguages = languages.map((code) => ({ LanguageRole: "01", LanguageCode: code }));
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
      ...(textLanguages.length > 0 && {
        Language: textLanguages.length === 1 ? textLanguages[0]! : textLanguages,
      }),
    },
    ...(description && {
      CollateralDetail: { TextContent: [{ TextType: "03", ContentAudience: "00", Text: description }] },
    }),
    PublishingDetail: {
      ...(imprint && { Imprint: [{ ImprintName: imprint }] }),
      ...(published && { PublishingDate: [{ PublishingDateRole: "01", Date: published }] }),
    },
  };
}

export function entryOf(book: TestBook): Entry {
  return createEntry(recordOf(book), `ref-${book.isbn}`, { release: "3.0" });
}

/** Returns the record that the API must return for one of `BOOKS`. */
export function expectedRecord(isbn: string): BookRecord {
  return recordOf(BOOKS.find((book) => book.isbn === isbn)!);
}

export const LONG_LIST_PATH = "/api/imprint/long-list";

/** Returns books of one imprint, whose bodies have together at least `totalBytes`: 2 kB each, or more. */
export function longList(totalBytes: number, bookBytes = 2000): Entry[] {
  const entries: Entry[] = [];
  for (let bytes = 0; bytes < totalBytes; bytes += entries.at(-1)!.body.length) {
    entries.push(
      entryOf({
        isbn: longListIsbn(entries.length),
        title: `Book ${entries.length}`,
        imprint: "Long List",
        published: "20200101",
        description: LONG_DESCRIPTION.repeat(bookBytes / 1000),
      }),
    );
  }
  return entries;
}

/** Returns the ISBN of a book of `longList`. */
export function longListIsbn(index: number): string {
  return `97880${String(index).padStart(8, "0")}`;
}
