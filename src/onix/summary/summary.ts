/**
 * A summary of a record: one flat object with the same fields for every book, whatever shape its feed had. It depends on
 * the record alone: equal records have equal summaries, on every machine. `docs/summary.md` explains the rules.
 */
import { type Day, firstDayOfDate } from "../date.ts";
import { hasValidCheckDigit, type Isbn13, toIsbn10 } from "../isbn.ts";
import { allOf, composites, firstText, texts } from "../record/field-access.ts";
import type { RecordFields, RecordValue } from "../record/record-fields.ts";
import { indexFieldsOf } from "../record/record-index.ts";
import { coverOf, descriptionOf } from "./collateral.ts";
import { type Contributor, contributorsOf } from "./contributors.ts";
import { type IsoDay, isoDay } from "./iso-day.ts";
import { availabilityOf, type Price, pricesOf } from "./prices.ts";
import { titlesOf } from "./title.ts";

/**
 * The version of the rules: part of the validators of lists. A change of the rules raises it, and comes with a migration
 * that makes all stored summaries again.
 */
export const SUMMARY_RULES = 1;

/** Fields are in this order. An absent value is null or an empty array; no field is ever missing. */
export interface Summary {
  readonly isbn: string;
  readonly isbn10: string | null;
  readonly title: string | null;
  readonly subtitle: string | null;
  readonly collection: string | null;
  readonly contributors: readonly Contributor[];
  readonly imprint: string | null;
  readonly publisher: string | null;
  readonly published: IsoDay | null;
  readonly status: string | null;
  readonly form: string | null;
  readonly languages: readonly string[];
  readonly pages: number | null;
  readonly subjects: readonly Subject[];
  readonly audience: readonly string[];
  readonly prices: readonly Price[];
  readonly availability: string | null;
  readonly description: string | null;
  readonly cover: string | null;
  readonly updated: IsoDay | null;
}

export interface Subject {
  /** SubjectSchemeIdentifier (list 27). */
  readonly scheme: string | null;
  readonly code: string | null;
  readonly text: string | null;
}

/** PublishingRole of the publisher (list 45). */
const PUBLISHER = "01";
/** ExtentUnit (list 24). */
const PAGES = "03";
/**
 * ExtentType (list 23), in the order of preference: main content, content, total numbered and absolute page count, pages
 * of the print counterpart, notional pages of a digital product.
 */
const PAGE_COUNTS: readonly string[] = ["00", "11", "05", "07", "08", "10"];
/** AudienceCodeType of the codes of list 28 (list 29). */
const ONIX_AUDIENCE = "01";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Returns the summary of a record as JSON bytes. */
export function summaryOfBody(body: Uint8Array): Uint8Array {
  return encoder.encode(summaryTextOf(body));
}

/** Returns the summary of a record as JSON. */
function summaryTextOf(body: Uint8Array): string {
  return JSON.stringify(readSummary(body).summary);
}

/** Returns a parsed record with its summary. */
export function readSummary(body: Uint8Array): { readonly record: RecordFields; readonly summary: Summary } {
  const json = decoder.decode(body);
  const record: RecordFields = JSON.parse(json);
  return { record, summary: summarize(record, json.includes(DATESTAMP)) };
}

/** `mayHaveDatestamps` is false when the record is known to have none, because searching for them takes time. */
export function summarize(record: RecordFields, mayHaveDatestamps = true): Summary {
  const isbn = firstText(record.RecordReference) as Isbn13;
  const { title, subtitle, collection } = titlesOf(record);
  const { imprint, languages, publishingDay, marketDay } = indexFieldsOf(record);
  const details = allOf(record, "DescriptiveDetail");
  const publishing = allOf(record, "PublishingDetail");
  return {
    isbn,
    isbn10: (hasValidCheckDigit(isbn) && toIsbn10(isbn)) || null,
    title: title ?? null,
    subtitle: subtitle ?? null,
    collection: collection ?? null,
    contributors: contributorsOf(record),
    imprint: imprint ?? null,
    publisher: publisherOf(publishing),
    published: isoDay(publishingDay ?? marketDay),
    status: firstOf(publishing, "PublishingStatus"),
    form: firstOf(details, "ProductForm"),
    languages,
    pages: pagesOf(details),
    subjects: subjectsOf(details),
    audience: audienceOf(details),
    prices: pricesOf(record),
    availability: availabilityOf(record),
    description: descriptionOf(record, languages),
    cover: coverOf(record),
    updated: mayHaveDatestamps ? isoDay(latestDatestamp(record)) : null,
  };
}

function firstOf(blocks: readonly RecordFields[], name: string): string | null {
  return blocks.map((block) => firstText(block[name])).find((text) => text !== "") ?? null;
}

function publisherOf(publishing: readonly RecordFields[]): string | null {
  const publishers = publishing
    .flatMap(({ Publisher }) => composites(Publisher))
    .map(({ PublishingRole, PublisherName }) => ({
      role: firstText(PublishingRole),
      name: firstText(PublisherName),
    }))
    .filter(({ name }) => name !== "");
  return (publishers.find(({ role }) => role === PUBLISHER) ?? publishers[0])?.name ?? null;
}

function pagesOf(details: readonly RecordFields[]): number | null {
  let [pages, bestRank]: [number | null, number] = [null, PAGE_COUNTS.length];
  for (const { ExtentType, ExtentValue, ExtentUnit } of details.flatMap(({ Extent }) => composites(Extent))) {
    if (firstText(ExtentUnit) !== PAGES) continue;
    const rank = PAGE_COUNTS.indexOf(firstText(ExtentType));
    const value = firstText(ExtentValue);
    if (rank < 0 || rank >= bestRank || !/^[0-9]{1,9}$/.test(value)) continue;
    [pages, bestRank] = [Number(value), rank];
  }
  return pages;
}

/** The main subject of each scheme comes first. The others follow in the order of the record. */
function subjectsOf(details: readonly RecordFields[]): readonly Subject[] {
  const subjects = details.flatMap(({ Subject }) => composites(Subject));
  return subjects
    .toSorted((a, b) => Number(isMain(b)) - Number(isMain(a)))
    .map(({ SubjectSchemeIdentifier, SubjectCode, SubjectHeadingText }) => ({
      scheme: firstText(SubjectSchemeIdentifier) || null,
      code: firstText(SubjectCode) || null,
      text: texts(SubjectHeadingText)[0] ?? null,
    }))
    .filter(({ code, text }) => code !== null || text !== null);
}

function isMain({ MainSubject }: RecordFields): boolean {
  return texts(MainSubject).length > 0;
}

/** Includes AudienceCode, which older messages have instead of the composite. */
function audienceOf(details: readonly RecordFields[]): readonly string[] {
  const codes = details.flatMap(({ Audience, AudienceCode }) => [
    ...composites(Audience)
      .filter(({ AudienceCodeType }) => firstText(AudienceCodeType) === ONIX_AUDIENCE)
      .map(({ AudienceCodeValue }) => firstText(AudienceCodeValue)),
    ...texts(AudienceCode),
  ]);
  return [...new Set(codes)].filter((code) => code !== "");
}

/** The attribute that any element can have: the day of its last change. */
const DATESTAMP = "@datestamp";

/** Returns the latest datestamp of a value and all that it contains. */
function latestDatestamp(value: RecordValue): Day | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  let latest: Day | undefined;
  for (const [key, member] of Object.entries(value)) {
    const days = key.endsWith(DATESTAMP)
      ? texts(member).map((date) => firstDayOfDate(date))
      : [latestDatestamp(member)];
    for (const day of days) if (day !== undefined && (latest === undefined || day > latest)) latest = day;
  }
  return latest;
}
