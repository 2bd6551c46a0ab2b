/** Makes the search document of a book from its record and its summary. It depends on them alone. */
import { joinParts, NAME_PARTS } from "../../client/names.ts";
import { lackingBits, lackingBitsAfter } from "../../onix/completeness/book-needs.ts";
import type { BookFields, LiteralText } from "../../onix/fields/book-fields.ts";
import { allOf, composites, firstText, texts } from "../../onix/record/field-access.ts";
import type { Summary } from "../../onix/summary/summary.ts";
import { imprintOfName } from "../imprint.ts";
import { bandKeysOf } from "../quality/price-bands.ts";
import { addFactTerms, addFilterTerms } from "./filter-terms.ts";
import { MAX_TITLE_KEY_CHARS, NO_TITLE_KEY } from "./index-terms.ts";
import {
  documentOf,
  ITEM_BREAK,
  type NightlyFields,
  PARTS,
  type SearchDocument,
  type SearchDocuments,
  type SupplyUpdate,
  VALUE_BREAK,
} from "./search-document.ts";
import { TermWriter } from "./term-writer.ts";
import { endOfChars } from "./word-writer.ts";

/** A longer description is searched up to here. */
export const MAX_DESCRIPTION_WORDS = 2000;
/** A word takes at least one character and a space. */
const MAX_DESCRIPTION_CHARS = MAX_DESCRIPTION_WORDS * 32;

/** TitleElementLevel (list 149) of the title of the product. */
const PRODUCT_LEVEL = "01";
/** ProductIDType (list 5) of the identifiers that are ISBNs. */
const ISBN_TYPES: ReadonlySet<string> = new Set(["02", "03", "15"]);

/** The same name with and without apostrophes: `obrien` finds O’Brien. */
const APOSTROPHE = /['’ʼ`´]/;
const APOSTROPHES = /['’ʼ`´]/g;
const LEADING_ZEROS = /\b0+(?=[0-9])/g;
const NOT_OF_ISBN = /[^0-9Xx]/g;

const WHOLE_NAMES = ["PersonName", "PersonNameInverted", "CorporateName", "CorporateNameInverted"] as const;

/** Returns the document of one book, in bytes of its own. */
export function searchDocumentOf(record: BookFields, summary: Summary): SearchDocument {
  single.add(record, summary);
  return documentOf(single.take(), 0)!;
}

/** Writes the documents of books, one after the other. */
export class DocumentBuilder {
  readonly #out = new TermWriter();
  #ends: number[] = [];

  /** Forgets what has not been taken. */
  begin(): void {
    this.#out.clear();
    this.#ends = [];
    this.#out.beginPart();
  }

  /** Returns the documents since the beginning. */
  take(): SearchDocuments {
    const { bytes, end } = this.#out;
    const documents = { bytes: bytes.slice(0, end), ends: new Uint32Array(this.#ends) };
    this.begin();
    return documents;
  }

  /** Adds a book without a document. */
  addNone(): void {
    for (const _ of PARTS) this.#ends.push(this.#out.end);
  }

  /** `literal` may have the bytes of the description. */
  add(record: BookFields, summary: Summary, literal?: LiteralText): void {
    const out = this.#out;
    const details = allOf(record, "DescriptiveDetail");
    const imprint = imprintOfName(summary.imprint ?? undefined)?.slug;
    const lacks = lackingBits(record, summary);
    const { languages, form, audience, availability } = summary;
    addDescription(out, summary.description, literal);
    const titles = this.#endPart();
    addTitles(out, details, summary);
    const names = this.#endPart();
    addNames(out, details, summary);
    const labels = this.#endPart();
    addLabels(out, record, details, summary);
    const rest = out.end;
    this.#ends.push(rest);
    addRest(out, record, details, summary);
    this.#endPart();
    addFilterTerms(out, { summary, imprint });
    // The marks continue the filter terms: an index can have both as one text.
    this.#ends.push(out.end);
    out.addTitleMarks(titles, names);
    out.addNameMarks(names, labels);
    out.addLabelMarks(labels, rest);
    this.#endPart();
    this.#addTitleKey(summary.title);
    addValues(out, imprint ?? "", languages.join(ITEM_BREAK), form ?? "", audience.join(ITEM_BREAK));
    this.#endPart();
    const prices = bandKeysOf(summary.prices);
    addValues(out, availability ?? "", String(lacks), prices.join(ITEM_BREAK));
    this.#endPart();
    addFactTerms(out, { summary, lacks, prices });
    this.#endPart();
  }

  /** Returns where the next part begins. */
  #endPart(): number {
    const { end } = this.#out;
    this.#ends.push(end);
    this.#out.beginPart();
    return end;
  }

  /** Cuts within no character. */
  #addTitleKey(title: string | null): void {
    const out = this.#out;
    const start = out.end;
    if (title === null || out.words(title) === 0) out.text(NO_TITLE_KEY);
    else out.end = endOfChars(out.bytes, start, out.end, MAX_TITLE_KEY_CHARS);
  }
}

const single = new DocumentBuilder();

/** Returns what such an update changes of the document of a book that lacked `lacksBefore`. */
export function nightlyFieldsAfter({ update, summary }: SupplyUpdate, lacksBefore: number): NightlyFields {
  const lacks = lackingBitsAfter(lacksBefore, update, summary);
  facts.clear();
  facts.beginPart();
  const prices = bandKeysOf(summary.prices);
  addFactTerms(facts, { summary, lacks, prices });
  return {
    facts: decoder.decode(facts.bytes.subarray(0, facts.end)),
    availability: summary.availability ?? undefined,
    lacks,
    prices,
  };
}

const facts = new TermWriter();
const decoder = new TextDecoder();

function addDescription(out: TermWriter, description: string | null, literal: LiteralText | undefined): void {
  if (description === null) return;
  const start = out.end;
  const isLiteral = literal?.text === description && description.length <= MAX_DESCRIPTION_CHARS;
  const words =
    (isLiteral ? out.wordsOfUtf8(literal.bytes, literal.from, literal.to) : undefined) ??
    out.words(description.slice(0, MAX_DESCRIPTION_CHARS));
  if (words > MAX_DESCRIPTION_WORDS) out.cut(start, MAX_DESCRIPTION_WORDS);
}

/** A title with a subtitle is indexed alone and with it: a query may be either. */
function addTitles(out: TermWriter, details: readonly BookFields[], summary: Summary): void {
  addTitle(out, summary.title ?? "", summary.subtitle ?? "");
  for (const detail of details) {
    for (const element of titleElementsOf(detail)) {
      if (isOtherLevel(element)) continue;
      const subtitle = firstText(element.Subtitle);
      const prefix = firstText(element.TitlePrefix);
      const withoutPrefix = firstText(element.TitleWithoutPrefix);
      addTitle(out, firstText(element.TitleText), subtitle);
      addTitle(out, withoutPrefix, subtitle);
      if (prefix !== "") addTitle(out, `${prefix} ${withoutPrefix}`, subtitle);
    }
  }
}

function addTitle(out: TermWriter, title: string, subtitle: string): void {
  if (title === "") return;
  out.addTitle(title);
  if (subtitle !== "") out.addTitle(`${title} ${subtitle}`);
}

function titleElementsOf({ TitleDetail }: BookFields): readonly BookFields[] {
  const titles = composites(TitleDetail);
  if (titles.length === 1) return composites(titles[0]!.TitleElement);
  return titles.flatMap(({ TitleElement }) => composites(TitleElement));
}

/** The titles of a collection or of a set are not titles of the book. An element without a level counts as one. */
function isOtherLevel({ TitleElementLevel }: BookFields): boolean {
  const level = firstText(TitleElementLevel);
  return level !== "" && level !== PRODUCT_LEVEL;
}

function addNames(out: TermWriter, details: readonly BookFields[], summary: Summary): void {
  for (const { name } of summary.contributors) if (name !== null) addName(out, name);
  for (const { Contributor } of details) {
    for (const contributor of composites(Contributor)) {
      addNamesOf(out, contributor);
      for (const other of composites(contributor.AlternativeName)) addNamesOf(out, other);
    }
  }
}

function addNamesOf(out: TermWriter, contributor: BookFields): void {
  for (const key of WHOLE_NAMES) for (const name of texts(contributor[key])) addName(out, name);
  if (contributor.KeyNames !== undefined)
    addName(out, joinParts(NAME_PARTS.map((part) => firstText(contributor[part]))));
}

function addName(out: TermWriter, name: string): void {
  out.addText(name);
  if (APOSTROPHE.test(name)) out.addText(name.replace(APOSTROPHES, ""));
}

function addLabels(
  out: TermWriter,
  record: BookFields,
  details: readonly BookFields[],
  summary: Summary,
): void {
  out.addText(summary.collection ?? "");
  out.addText(summary.imprint ?? "");
  out.addText(summary.publisher ?? "");
  for (const detail of details) {
    for (const collection of composites(detail.Collection)) {
      for (const element of titleElementsOf(collection)) addOtherTitle(out, element);
    }
    for (const element of titleElementsOf(detail)) if (isOtherLevel(element)) addOtherTitle(out, element);
  }
  for (const { Publisher, Imprint } of allOf(record, "PublishingDetail")) {
    for (const { PublisherName } of composites(Publisher)) out.addText(firstText(PublisherName));
    for (const { ImprintName } of composites(Imprint)) out.addText(firstText(ImprintName));
  }
}

/** The ISBNs of the book are filter terms. */
function addRest(
  out: TermWriter,
  record: BookFields,
  details: readonly BookFields[],
  { isbn, isbn10, partNumber, collectionNumber }: Summary,
): void {
  addVolume(out, partNumber ?? "");
  addVolume(out, collectionNumber ?? "");
  for (const detail of details) {
    for (const { SubjectCode, SubjectHeadingText } of composites(detail.Subject)) {
      out.addText(firstText(SubjectCode));
      for (const heading of texts(SubjectHeadingText)) out.addText(heading);
    }
  }
  for (const { ProductIDType, IDValue } of composites(record.ProductIdentifier)) {
    const value = firstText(IDValue);
    const text = ISBN_TYPES.has(firstText(ProductIDType)) ? value.replace(NOT_OF_ISBN, "") : value;
    if (text !== isbn && text !== isbn10) out.addText(text);
  }
}

/** `3` finds `03`. */
function addVolume(out: TermWriter, number: string): void {
  out.addText(number);
  out.addText(number.replaceAll(LEADING_ZEROS, ""));
}

function addOtherTitle(
  out: TermWriter,
  { TitleText, TitlePrefix, TitleWithoutPrefix, Subtitle }: BookFields,
): void {
  out.addText(`${firstText(TitlePrefix)} ${firstText(TitleWithoutPrefix)}`);
  out.addText(firstText(TitleText));
  out.addText(firstText(Subtitle));
}

/** Writes values behind others. */
function addValues(out: TermWriter, ...values: readonly string[]): void {
  out.text(VALUE_BREAK + values.join(VALUE_BREAK));
}
