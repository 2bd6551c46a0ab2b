/** The benchmark catalog. Its records are generated from a seed, so every run has the same ones. */

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createEntry } from "../src/catalog/entry.ts";
import { RevisionSum } from "../src/catalog/revision.ts";
import type { Entry } from "../src/catalog/store.ts";
import { anyRun } from "../src/catalog/testing/import-runs.ts";
import { type Day, subtractDays, utcDay } from "../src/onix/date.ts";
import type { BookRecord } from "../src/onix/record/record-fields.ts";
import { openSqlite } from "../src/stores/sqlite/store.ts";
import { RandomText } from "./random-text.ts";

/** The largest imprint. It has the same number of records in catalogs of any size, spread evenly over the ISBNs. */
export const LARGEST_IMPRINT = { slug: "gran-sello", name: "Gran Sello", records: 10_000 };
/** The number of records of the last 90 days, the same in catalogs of any size. */
const NEWS_RECORDS = 200;
const BATCH_RECORDS = 1000;

/** Returns the ISBN of the record at an index. Its last digit is no check digit: the API accepts any 13 digits. */
export function isbnAt(index: number): string {
  return `9788${String(index).padStart(9, "0")}`;
}

export function* generateEntries(records: number): Generator<Entry> {
  const today = utcDay(new Date());
  const largestStep = Math.max(1, Math.floor(records / LARGEST_IMPRINT.records));
  const newsStep = Math.max(1, Math.floor(records / NEWS_RECORDS));
  for (let index = 0; index < records; index++) {
    const isOfLargest = index % largestStep === 0 && index / largestStep < LARGEST_IMPRINT.records;
    const isNews = index % newsStep === 0 && index / newsStep < NEWS_RECORDS;
    const published = subtractDays(today, isNews ? 1 + ((index / newsStep) % 80) : 400 + (index % 5000));
    const imprint = isOfLargest ? LARGEST_IMPRINT.name : `Sello ${index % 500}`;
    yield createEntry(generateRecord(index, imprint, published), `ref-${index}`, { release: "3.0" });
  }
}

/** Returns a record of about 4 kB. */
function generateRecord(index: number, imprint: string, published: Day): BookRecord {
  const random = new RandomText(index);
  const isbn = isbnAt(index);
  const textContent = (type: string, length: number) => ({
    TextType: type,
    ContentAudience: "00",
    Text: random.next(length),
  });
  return {
    _id: isbn.padStart(24, "0"),
    RecordReference: isbn,
    NotificationType: "03",
    ProductIdentifier: [
      { ProductIDType: "15", IDValue: isbn },
      { ProductIDType: "03", IDValue: isbn },
    ],
    DescriptiveDetail: {
      ProductComposition: "00",
      ProductForm: "BC",
      NoCollection: [],
      TitleDetail: { TitleType: "01", TitleElement: { TitleElementLevel: "01", TitleText: random.next(40) } },
      Contributor: { SequenceNumber: "1", ContributorRole: "A01", PersonName: random.next(20) },
      Language: { LanguageRole: "01", LanguageCode: index % 3 === 0 ? "eng" : "spa" },
      Subject: Array.from({ length: 5 }, () => ({
        MainSubject: [],
        SubjectSchemeIdentifier: "93",
        SubjectCode: random.next(5),
        SubjectHeadingText: random.next(30),
      })),
    },
    CollateralDetail: {
      TextContent: [textContent("03", 1800), textContent("02", 300), textContent("12", 500)],
    },
    PublishingDetail: {
      Imprint: [{ ImprintName: imprint }],
      PublishingDate: [{ PublishingDateRole: "01", Date: published }],
    },
  };
}

/** Creates the SQLite catalog at `path`. Reuses a complete one from an earlier run. */
export async function createDatabase(path: string, records: number): Promise<void> {
  const marker = `${path}.complete`;
  if (existsSync(marker)) return;
  const store = openSqlite(path, { create: true, importOnly: true });
  const transaction = await store.beginImport();
  const revision = new RevisionSum(transaction.revision);
  let batch: Entry[] = [];
  for (const entry of generateEntries(records)) {
    revision.change(undefined, entry.etag);
    batch.push(entry);
    if (batch.length === BATCH_RECORDS) {
      await transaction.put(batch, 1);
      batch = [];
    }
  }
  if (batch.length > 0) await transaction.put(batch, 1);
  await transaction.commit(String(revision), anyRun());
  await store.close();
  writeFileSync(marker, "");
}

/** Writes the same response bodies as static files, at the paths of the API. Reuses those of an earlier run. */
export function createStaticFiles(folder: string, records: number): void {
  const marker = join(folder, "complete");
  if (existsSync(marker)) return;
  const isbnFolder = join(folder, "api/isbn");
  const imprintFolder = join(folder, "api/imprint");
  for (const path of [isbnFolder, imprintFolder]) mkdirSync(path, { recursive: true });
  const ofLargest: Uint8Array[] = [];
  for (const { isbn, body, imprint } of generateEntries(records)) {
    writeFileSync(join(isbnFolder, isbn), body);
    if (imprint?.slug === LARGEST_IMPRINT.slug) ofLargest.push(body);
  }
  writeFileSync(join(imprintFolder, LARGEST_IMPRINT.slug), jsonArrayOf(ofLargest));
  const isbns = Array.from({ length: records }, (_, index) => isbnAt(index));
  writeFileSync(join(folder, "api/skus"), JSON.stringify(isbns));
  writeFileSync(marker, "");
}

function jsonArrayOf(bodies: readonly Uint8Array[]): Uint8Array {
  const comma = Buffer.from(",");
  const parts = bodies.flatMap((body, index) => (index === 0 ? [body] : [comma, body]));
  return Buffer.concat([Buffer.from("["), ...parts, Buffer.from("]")]);
}
