/** The catalog of the measurements: seeded, so that every run has the same books. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { entryOf } from "../src/catalog/entry.ts";
import { RevisionSum } from "../src/catalog/revision.ts";
import type { Entry } from "../src/catalog/store.ts";
import { type Day, dayOf, daysBefore } from "../src/onix/day.ts";
import type { BookRecord } from "../src/onix/record.ts";
import { openSqlite } from "../src/stores/sqlite/store.ts";
import { Words } from "./words.ts";

/** The largest imprint, of so many records in a catalog of any size: spread evenly over its ISBNs. */
export const LARGEST = { slug: "gran-sello", name: "Gran Sello", records: 10_000 };
/** Records of the last 90 days, as many in a catalog of any size. */
export const NEWS = 200;

export function isbnAt(place: number): string {
  return `9788${String(place).padStart(9, "0")}`;
}

export function* entriesOf(records: number): Generator<Entry> {
  const today = dayOf(new Date());
  const step = Math.max(1, Math.floor(records / LARGEST.records));
  const newsStep = Math.max(1, Math.floor(records / NEWS));
  for (let place = 0; place < records; place++) {
    const ofLargest = place % step === 0 && place / step < LARGEST.records;
    const isNews = place % newsStep === 0 && place / newsStep < NEWS;
    const published = daysBefore(today, isNews ? 1 + ((place / newsStep) % 80) : 400 + (place % 5000));
    const imprint = ofLargest ? LARGEST.name : `Sello ${place % 500}`;
    yield entryOf(recordAt(place, imprint, published), `ref-${place}`, { release: "3.0" });
  }
}

/** About 4 kB. */
function recordAt(place: number, imprint: string, published: Day): BookRecord {
  const words = new Words(place);
  const isbn = isbnAt(place);
  const text = (type: string, length: number) => ({
    TextType: type,
    ContentAudience: "00",
    Text: words.text(length),
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
      TitleDetail: { TitleType: "01", TitleElement: { TitleElementLevel: "01", TitleText: words.text(40) } },
      Contributor: { SequenceNumber: "1", ContributorRole: "A01", PersonName: words.text(20) },
      Language: { LanguageRole: "01", LanguageCode: place % 3 === 0 ? "eng" : "spa" },
      Subject: Array.from({ length: 5 }, () => ({
        MainSubject: [],
        SubjectSchemeIdentifier: "93",
        SubjectCode: words.text(5),
        SubjectHeadingText: words.text(30),
      })),
    },
    CollateralDetail: { TextContent: [text("03", 1800), text("02", 300), text("12", 500)] },
    PublishingDetail: {
      Imprint: [{ ImprintName: imprint }],
      PublishingDate: [{ PublishingDateRole: "01", Date: published }],
    },
  };
}

/** Fills the store at `path`, and gives each entry to `also` on the way. A store that is there already is kept. */
export async function makeCatalog(path: string, records: number): Promise<void> {
  if (existsSync(`${path}.made`)) return;
  const store = openSqlite(path, { create: true, importOnly: true });
  const load = await store.beginImport();
  const revision = new RevisionSum(load.revision);
  let batch: Entry[] = [];
  for (const entry of entriesOf(records)) {
    revision.change(undefined, entry.etag);
    batch.push(entry);
    if (batch.length === 1000) {
      await load.put(batch, 1);
      batch = [];
    }
  }
  if (batch.length > 0) await load.put(batch, 1);
  await load.commit(String(revision));
  await store.close();
  writeFileSync(`${path}.made`, "");
}

/** The same bytes as files, at the paths of the API. */
export async function makeFiles(folder: string, records: number): Promise<void> {
  if (existsSync(join(folder, "made"))) return;
  const isbns = join(folder, "api/isbn");
  mkdirSync(isbns, { recursive: true });
  for (const name of ["imprint", "news", "isbns"]) mkdirSync(join(folder, "api", name), { recursive: true });
  const largest: Uint8Array[] = [];
  for (const { isbn, body, imprint } of entriesOf(records)) {
    writeFileSync(join(isbns, isbn), body);
    if (imprint?.slug === LARGEST.slug) largest.push(body);
  }
  writeFileSync(join(folder, "api/imprint", LARGEST.slug), arrayOf(largest));
  const skus = Array.from({ length: records }, (_, place) => isbnAt(place));
  writeFileSync(join(folder, "api/skus"), JSON.stringify(skus));
  writeFileSync(join(folder, "made"), "");
}

function arrayOf(bodies: readonly Uint8Array[]): Uint8Array {
  const comma = Buffer.from(",");
  const parts = bodies.flatMap((body, place) => (place === 0 ? [body] : [comma, body]));
  return Buffer.concat([Buffer.from("["), ...parts, Buffer.from("]")]);
}
