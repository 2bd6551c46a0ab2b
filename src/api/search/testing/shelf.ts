/** Books that searches of tests find: each differs from the others in one way. */

import type { Entry } from "../../../catalog/store.ts";
import { createEntry } from "../../../catalog/testing/entries.ts";
import type { BookRecord } from "../../../onix/record/record-fields.ts";
import { recordOf, type TestBook } from "../../testing/books.ts";

interface ShelfBook extends TestBook {
  readonly subtitle?: string;
  readonly contributors?: readonly string[];
  readonly form?: string;
  /** Codes of Thema (scheme 93). */
  readonly subjects?: readonly string[];
  readonly keywords?: string;
  readonly series?: string;
  readonly status?: string;
  readonly availability?: string;
}

export const SHELF: readonly ShelfBook[] = [
  {
    isbn: "9789999931014",
    title: "El mar",
    imprint: "Ancla Azul",
    languages: ["spa"],
    published: "20240101",
    subjects: ["FBA"],
    status: "04",
    availability: "20",
  },
  {
    isbn: "9789999931021",
    title: "El mar de noche",
    contributors: ["Gabriel García Márquez"],
    imprint: "Ancla Azul",
    languages: ["spa"],
    published: "20200101",
    form: "BB",
    subjects: ["FBC"],
    status: "04",
    availability: "20",
  },
  {
    isbn: "9789999931038",
    title: "La noche y el mar",
    imprint: "Península",
    languages: ["spa", "cat"],
    published: "20250601",
    subjects: ["WTL"],
    status: "07",
    availability: "40",
  },
  {
    isbn: "9789999931045",
    title: "Noche",
    contributors: ["Ana del Mar", "El Greco"],
    imprint: "Península",
    languages: ["spa"],
    published: "20260101",
    form: "EA",
  },
  {
    isbn: "9789999931052",
    title: "Cuentos",
    contributors: ["Sean O’Hara"],
    languages: ["eng"],
    published: "20260501",
    description: "<p>Frente al mar, bajo el sol.</p>",
    keywords: "playa; verano",
    series: "Panorama de narrativas",
  },
  { isbn: "9789999931069", title: "100 % mar", imprint: "Zeta", languages: ["spa"] },
  { isbn: "9789999931076", title: "東京の海", imprint: "Zeta", languages: ["jpn"], published: "20210315" },
];

export const SHELF_ENTRIES: readonly Entry[] = SHELF.map(shelfEntry);

export function shelfEntry(book: ShelfBook): Entry {
  return createEntry(shelfRecord(book), `ref-${book.isbn}`, { release: "3.0" });
}

function shelfRecord(book: ShelfBook): BookRecord {
  const { contributors = [], form = "BC", subjects = [], keywords, series, status, availability } = book;
  const record = recordOf(book);
  const detail = record.DescriptiveDetail as Record<string, unknown>;
  const names = contributors.map((name, index) => ({
    SequenceNumber: String(index + 1),
    ContributorRole: "A01",
    PersonName: name,
  }));
  const subject = (scheme: string, fields: object) => ({
    MainSubject: [],
    SubjectSchemeIdentifier: scheme,
    ...fields,
  });
  return {
    ...record,
    DescriptiveDetail: {
      ...detail,
      ProductForm: form,
      ...(names.length > 0 && { Contributor: names.length === 1 ? names[0]! : names }),
      ...(series !== undefined && {
        Collection: [
          {
            TitleDetail: [
              { TitleType: "01", TitleElement: [{ TitleElementLevel: "02", TitleText: series }] },
            ],
          },
        ],
      }),
      Subject: [
        ...subjects.map((code) => subject("93", { SubjectCode: code })),
        ...(keywords === undefined ? [] : [subject("20", { SubjectHeadingText: keywords })]),
      ],
    },
    PublishingDetail: {
      ...(record.PublishingDetail as Record<string, unknown>),
      ...(status !== undefined && { PublishingStatus: status }),
    },
    ...(availability !== undefined && {
      ProductSupply: [{ SupplyDetail: [{ ProductAvailability: availability }] }],
    }),
  } as BookRecord;
}
