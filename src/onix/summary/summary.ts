/**
 * A summary of a record: one flat object with the same fields for every book, whatever shape its feed had. It depends on
 * the record alone: equal records have equal summaries, on every machine. `docs/summary.md` explains the rules.
 */
import type { Market } from "../../client/offers.ts";
import { bufferOf } from "../../lib/text.ts";
import { type Day, type IsoDay, isoDay } from "../date.ts";
import type { BookFields } from "../fields/book-fields.ts";
import { DATESTAMP_KEY, latestDatestamp } from "../fields/latest-datestamp.ts";
import { hasValidCheckDigit, type Isbn13, toIsbn10 } from "../isbn.ts";
import { allOf, composites, firstNonEmpty, firstText, texts, wholeNumber } from "../record/field-access.ts";
import { indexFieldsOf } from "../record/index-fields.ts";
import { findMember } from "../record/record-blocks.ts";
import type { RecordFields } from "../record/record-fields.ts";
import type { IndexFields } from "../scanned-product.ts";
import { coverOf, descriptionOf } from "./collateral.ts";
import { type Contributor, contributorsOf } from "./contributors.ts";
import { durationOf, pagesOf } from "./extents.ts";
import { availabilityOf, marketsOf, type Rights, rightsOf } from "./markets.ts";
import { plainLine } from "./plain-text.ts";
import { type Price, pricesOf } from "./prices.ts";
import { titlesOf } from "./title.ts";
import { workIdOf } from "./works.ts";

/**
 * The version of the rules: part of the validators of lists. A change of the rules raises it. A released catalog needs
 * a migration then, which makes all stored summaries again.
 */
export const SUMMARY_RULES = 5;

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
  readonly partNumber: string | null;
  readonly partTitle: string | null;
  readonly collectionNumber: string | null;
  readonly formDetail: readonly string[];
  readonly editionNumber: number | null;
  readonly editionTypes: readonly string[];
  /** Of audio and video, in minutes. */
  readonly duration: number | null;
  readonly markets: readonly Market[];
  readonly rights: Rights | null;
  /** As `WorkIdentifier.id` has it. */
  readonly workId: string | null;
}

/** Follows the titles, contributors and imprint of a summary. No text has it: its quotation marks are escaped there. */
export const AFTER_IMPRINT = ',"publisher":';

export interface Subject {
  /** SubjectSchemeIdentifier (list 27). */
  readonly scheme: string | null;
  readonly code: string | null;
  readonly text: string | null;
}

/** PublishingRole of the publisher (list 45). */
const PUBLISHER = "01";
/** AudienceCodeType of the codes of list 28 (list 29). */
const ONIX_AUDIENCE = "01";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Returns the summary of a record as JSON bytes. An import makes most summaries from the element tree instead. */
export function summaryOfBody(body: Uint8Array): Uint8Array {
  return encoder.encode(JSON.stringify(readSummary(body).summary));
}

/** Returns a parsed record with its summary. */
export function readSummary(body: Uint8Array): { readonly record: RecordFields; readonly summary: Summary } {
  const json = decoder.decode(body);
  const record: RecordFields = JSON.parse(json);
  // Searching for datestamps takes time.
  const updated = json.includes(DATESTAMP_KEY) ? latestDatestamp(record) : undefined;
  return { record, summary: summarize(record, indexFieldsOf(record), updated) };
}

/** `updated` is the latest datestamp of the record. */
export function summarize(record: BookFields, index: IndexFields, updated: Day | undefined): Summary {
  const isbn = firstText(record.RecordReference) as Isbn13;
  const details = allOf(record, "DescriptiveDetail");
  const publishing = allOf(record, "PublishingDetail");
  const collateral = allOf(record, "CollateralDetail");
  const { title, subtitle, partNumber, partTitle, collection, collectionNumber } = titlesOf(details);
  const { prices, availability, markets } = supplyFieldsOf(record);
  const { imprint, languages, publishingDay, marketDay } = index;
  return {
    isbn,
    isbn10: (hasValidCheckDigit(isbn) && toIsbn10(isbn)) || null,
    title,
    subtitle,
    collection,
    contributors: contributorsOf(details),
    imprint: imprint ?? null,
    publisher: publisherOf(publishing),
    published: isoDay(publishingDay ?? marketDay),
    status: statusOf(publishing),
    form: formOf(details),
    languages,
    pages: pagesOf(details),
    subjects: subjectsOf(details),
    audience: audienceOf(details),
    prices,
    availability,
    description: descriptionOf(collateral, languages),
    cover: coverOf(collateral),
    updated: isoDay(updated),
    partNumber,
    partTitle,
    collectionNumber,
    formDetail: codesOf(details, "ProductFormDetail"),
    editionNumber: editionNumberOf(details),
    editionTypes: codesOf(details, "EditionType"),
    duration: durationOf(details),
    markets,
    rights: rightsOf(publishing),
    workId: workIdOf(record),
  };
}

/** The fields that depend on the blocks ProductSupply alone. Beside them, a date of a market can be the publication date. */
function supplyFieldsOf(record: BookFields): Pick<Summary, "prices" | "availability" | "markets"> {
  const supplies = composites(record.ProductSupply);
  const markets = marketsOf(supplies);
  return { prices: pricesOf(supplies), availability: availabilityOf(markets), markets };
}

/** The parts of a summary that an update of the blocks ProductSupply alone can change. */
export interface SupplySummary extends ReturnType<typeof supplyFieldsOf>, Pick<Summary, "status"> {
  /** The whole summary as JSON. */
  readonly body: Uint8Array;
}

/**
 * Returns the summary after an update of the blocks ProductSupply alone, which have no dates of markets. The summary
 * before is not parsed: that would take ten times as long.
 */
export function withSupply(before: Uint8Array, update: BookFields): SupplySummary {
  const json = bufferOf(before);
  const fields = supplyFieldsOf(update);
  const parts: Uint8Array[] = [];
  let end = 0;
  // In the order of the summary, in which no object within has one of these keys before.
  for (const [key, value] of Object.entries(fields)) {
    const { value: from, to } = findMember(json, key, end)!;
    parts.push(json.subarray(end, from), encoder.encode(JSON.stringify(value)));
    end = to;
  }
  const { value, to } = findMember(json, "status")!;
  const status = JSON.parse(json.toString("utf8", value, to));
  return { ...fields, status, body: Buffer.concat([...parts, json.subarray(end)]) };
}

function statusOf(publishing: readonly BookFields[]): string | null {
  for (const { PublishingStatus } of publishing) {
    const status = firstText(PublishingStatus);
    if (status !== "") return status;
  }
  return null;
}

function formOf(details: readonly BookFields[]): string | null {
  for (const { ProductForm } of details) {
    const form = firstText(ProductForm);
    if (form !== "") return form;
  }
  return null;
}

/** Returns all codes of a field. */
function codesOf(
  details: readonly BookFields[],
  key: "ProductFormDetail" | "EditionType",
): readonly string[] {
  return details.length === 1 ? texts(details[0]![key]) : details.flatMap((detail) => texts(detail[key]));
}

function editionNumberOf(details: readonly BookFields[]): number | null {
  for (const { EditionNumber } of details) {
    const number = wholeNumber(firstText(EditionNumber));
    if (number !== undefined) return number;
  }
  return null;
}

export function publisherOf(publishing: readonly BookFields[]): string | null {
  let first: string | null = null;
  for (const { Publisher } of publishing) {
    for (const { PublishingRole, PublisherName } of composites(Publisher)) {
      const name = plainLine(firstText(PublisherName));
      if (name === "") continue;
      if (firstText(PublishingRole) === PUBLISHER) return name;
      first ??= name;
    }
  }
  return first;
}

/** The main subject of each scheme comes first. The others follow in the order of the record. */
function subjectsOf(details: readonly BookFields[]): readonly Subject[] {
  const main: Subject[] = [];
  const others: Subject[] = [];
  for (const { Subject } of details) {
    for (const each of composites(Subject)) {
      const code = firstText(each.SubjectCode) || null;
      const text = plainLine(firstNonEmpty(each.SubjectHeadingText) ?? "") || null;
      if (code === null && text === null) continue;
      const isMain = firstNonEmpty(each.MainSubject) !== null;
      (isMain ? main : others).push({ scheme: firstText(each.SubjectSchemeIdentifier) || null, code, text });
    }
  }
  return main.length === 0 ? others : [...main, ...others];
}

/** Includes AudienceCode, which older messages have instead of the composite. */
function audienceOf(details: readonly BookFields[]): readonly string[] {
  const codes = new Set<string>();
  for (const { Audience, AudienceCode } of details) {
    for (const { AudienceCodeType, AudienceCodeValue } of composites(Audience)) {
      if (firstText(AudienceCodeType) === ONIX_AUDIENCE) codes.add(firstText(AudienceCodeValue));
    }
    for (const code of texts(AudienceCode)) codes.add(code);
  }
  codes.delete("");
  return [...codes];
}
