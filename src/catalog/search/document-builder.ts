/** Makes the search document of a book from its record and its summary. It depends on them alone. */
import { lackingBits, lackingBitsAfter, needsOfBits } from "../../onix/completeness/book-needs.ts";
import type { BookFields } from "../../onix/fields/book-fields.ts";
import { allOf, composites, firstText, texts } from "../../onix/record/field-access.ts";
import type { Summary } from "../../onix/summary/summary.ts";
import { imprintOfName } from "../imprint.ts";
import { bandKeysOf } from "../quality/price-bands.ts";
import {
  filterTerm,
  subjectTerms,
  TEXT_BREAK,
  type TermField,
  TITLE_END,
  TITLE_START,
  titleKeyOf,
} from "./index-terms.ts";
import { FACT_FILTERS } from "./properties.ts";
import { digestOfWords, type NightlyField, type SearchDocument } from "./search-document.ts";
import { wordTextOf } from "./word-writer.ts";

/** A longer description is searched up to here. */
const MAX_DESCRIPTION_WORDS = 2000;
/** Bounds what a record with thousands of subjects, contributors or titles costs. */
const MAX_WORDS = 2000;
const MAX_FILTER_TERMS = 1000;
/** A word takes at least one character and a space. */
const MAX_DESCRIPTION_CHARS = MAX_DESCRIPTION_WORDS * 32;

/** TitleElementLevel (list 149) of the title of the product. */
const PRODUCT_LEVEL = "01";
/** ProductIDType (list 5) of the identifiers that are ISBNs. */
const ISBN_TYPES: ReadonlySet<string> = new Set(["02", "03", "15"]);

/** The same name with and without apostrophes: `obrien` finds O’Brien. */
const APOSTROPHES = /['’ʼ`´]/g;

/** The parts of a name that are indexed together when a contributor has no whole name. */
const NAME_PARTS = ["NamesBeforeKey", "PrefixToKey", "KeyNames", "NamesAfterKey", "SuffixToKey"] as const;
const WHOLE_NAMES = ["PersonName", "PersonNameInverted", "CorporateName", "CorporateNameInverted"] as const;

export function searchDocumentOf(record: BookFields, summary: Summary): SearchDocument {
  const details = allOf(record, "DescriptiveDetail");
  const imprint = imprintOfName(summary.imprint ?? undefined)?.slug;
  const lacks = lackingBits(record, summary);
  const fields = {
    title: titleTerms(details, summary),
    contributor: joinTexts(namesOf(details, summary)),
    rest: joinTexts(restOf(record, details, summary)),
    description: cutWords(
      wordTextOf((summary.description ?? "").slice(0, MAX_DESCRIPTION_CHARS)),
      MAX_DESCRIPTION_WORDS,
    ),
    filter: filterTerms({ summary, imprint, lacks }),
    titleKey: titleKeyOf(summary.title),
    imprint,
    languages: summary.languages,
    form: summary.form ?? undefined,
    ...nightlyFieldsOf(summary, lacks),
  };
  return { ...fields, digest: digestOfWords(fields) };
}

/** An update of the blocks ProductSupply alone, with the summary after it. */
export interface SupplyUpdate {
  readonly update: BookFields;
  readonly summary: Summary;
}

/** Returns what such an update changes of the document of a book that lacked `lacksBefore`. */
export function nightlyFieldsAfter(
  { update, summary }: SupplyUpdate,
  lacksBefore: number,
): Pick<SearchDocument, NightlyField> {
  return nightlyFieldsOf(summary, lackingBitsAfter(lacksBefore, update, summary));
}

function nightlyFieldsOf(summary: Summary, lacks: number): Pick<SearchDocument, NightlyField> {
  return {
    facts: [...addTerms(new Set(), FACT_FIELDS, { summary, imprint: undefined, lacks })].join(" "),
    availability: summary.availability ?? undefined,
    lacks,
    prices: bandKeysOf(summary.prices),
  };
}

/** A title with a subtitle is indexed alone and with it: a query may be either. */
function titleTerms(details: readonly BookFields[], summary: Summary): string {
  const titles = new Set<string>();
  const add = (title: string, subtitle: string) => {
    if (title === "") return;
    titles.add(title);
    if (subtitle !== "") titles.add(`${title} ${subtitle}`);
  };
  add(summary.title ?? "", summary.subtitle ?? "");
  for (const detail of details) {
    for (const element of titleElementsOf(detail)) {
      if (isOtherLevel(element)) continue;
      const [subtitle, prefix] = [firstText(element.Subtitle), firstText(element.TitlePrefix)];
      const withoutPrefix = firstText(element.TitleWithoutPrefix);
      add(firstText(element.TitleText), subtitle);
      add(withoutPrefix, subtitle);
      if (prefix !== "") add(`${prefix} ${withoutPrefix}`, subtitle);
    }
  }
  const framed = distinctWords(titles).map((words) => `${TITLE_START} ${words} ${TITLE_END}`);
  return cutWords(framed.join(" "), MAX_WORDS);
}

function titleElementsOf({ TitleDetail }: BookFields): readonly BookFields[] {
  return composites(TitleDetail).flatMap(({ TitleElement }) => composites(TitleElement));
}

/** The titles of a collection or of a set are not titles of the book. An element without a level counts as one. */
function isOtherLevel({ TitleElementLevel }: BookFields): boolean {
  const level = firstText(TitleElementLevel);
  return level !== "" && level !== PRODUCT_LEVEL;
}

function namesOf(details: readonly BookFields[], summary: Summary): string[] {
  const names = summary.contributors.flatMap(({ name }) => name ?? []);
  for (const { Contributor } of details) {
    for (const contributor of composites(Contributor)) {
      for (const each of [contributor, ...composites(contributor.AlternativeName)]) {
        for (const key of WHOLE_NAMES) names.push(...texts(each[key]));
        if (each.KeyNames !== undefined)
          names.push(NAME_PARTS.map((part) => firstText(each[part])).join(" "));
      }
    }
  }
  return names.flatMap((name) => {
    const joined = name.replace(APOSTROPHES, "");
    return joined === name ? [name] : [name, joined];
  });
}

function restOf(record: BookFields, details: readonly BookFields[], summary: Summary): string[] {
  const rest: string[] = [summary.collection ?? "", summary.imprint ?? "", summary.publisher ?? ""];
  for (const detail of details) {
    const ofCollections = composites(detail.Collection).flatMap(titleElementsOf);
    for (const element of [...ofCollections, ...titleElementsOf(detail).filter(isOtherLevel)]) {
      const { TitleText, TitlePrefix, TitleWithoutPrefix, Subtitle } = element;
      rest.push(
        [TitlePrefix, TitleWithoutPrefix].map(firstText).join(" "),
        firstText(TitleText),
        firstText(Subtitle),
      );
    }
    for (const { SubjectCode, SubjectHeadingText } of composites(detail.Subject)) {
      rest.push(firstText(SubjectCode), ...texts(SubjectHeadingText));
    }
  }
  for (const { Publisher, Imprint } of allOf(record, "PublishingDetail")) {
    rest.push(...composites(Publisher).map(({ PublisherName }) => firstText(PublisherName)));
    rest.push(...composites(Imprint).map(({ ImprintName }) => firstText(ImprintName)));
  }
  rest.push(summary.isbn, summary.isbn10 ?? "");
  for (const { ProductIDType, IDValue } of composites(record.ProductIdentifier)) {
    const value = firstText(IDValue);
    rest.push(ISBN_TYPES.has(firstText(ProductIDType)) ? value.replace(/[^0-9Xx]/g, "") : value);
  }
  return rest;
}

interface FilteredBook {
  readonly summary: Summary;
  readonly imprint: string | undefined;
  readonly lacks: number;
}

/** The values of each field that a book has terms of, in the order of the terms. Subjects also have broader ones. */
const TERM_VALUES: {
  readonly [Field in Exclude<TermField, "subject">]: (book: FilteredBook) => TermValues;
} = {
  isbn: ({ summary }) => summary.isbn,
  imprint: ({ imprint }) => imprint,
  language: ({ summary }) => summary.languages,
  form: ({ summary }) => summary.form,
  availability: ({ summary }) => summary.availability,
  status: ({ summary }) => summary.status,
  lacks: ({ lacks }) => (lacks === 0 ? undefined : needsOfBits(lacks)),
};
type TermValues = string | readonly string[] | null | undefined;
type ValuedField = keyof typeof TERM_VALUES;
const FACT_FIELDS: readonly ValuedField[] = FACT_FILTERS;
const STABLE_FIELDS = (Object.keys(TERM_VALUES) as readonly ValuedField[]).filter(
  (field) => !FACT_FIELDS.includes(field),
);

/** Adds the terms of the fields of a book. */
function addTerms(terms: Set<string>, fields: readonly ValuedField[], book: FilteredBook): Set<string> {
  for (const field of fields) {
    const values = TERM_VALUES[field](book);
    if (typeof values === "string") {
      if (values !== "") terms.add(filterTerm(field, values));
    } else if (values) {
      for (const value of values) terms.add(filterTerm(field, value));
    }
  }
  return terms;
}

function filterTerms(book: FilteredBook): string {
  const terms = addTerms(new Set(), STABLE_FIELDS, book);
  for (const { scheme, code } of book.summary.subjects) {
    if (code === null) continue;
    for (const term of subjectTerms(scheme, code)) if (terms.size < MAX_FILTER_TERMS) terms.add(term);
  }
  return [...terms].join(" ");
}

/** Joins the words of different texts. Equal texts count once. */
function joinTexts(each: readonly string[]): string {
  return cutWords(distinctWords(new Set(each)).join(` ${TEXT_BREAK} `), MAX_WORDS);
}

function distinctWords(texts: ReadonlySet<string>): string[] {
  const lists = new Set<string>();
  for (const text of texts) if (text !== "") lists.add(wordTextOf(text));
  lists.delete("");
  return [...lists];
}

function cutWords(terms: string, maxWords: number): string {
  // A word takes at least two characters with its space, so that most texts need not be split.
  return terms.length < maxWords * 2 ? terms : terms.split(" ", maxWords).join(" ");
}
