/** Writes the terms of the filters that a book passes. */
import { needsOfBits } from "../../onix/completeness/book-needs.ts";
import type { Summary } from "../../onix/summary/summary.ts";
import {
  filterTerm,
  isbnBeginningsOf,
  MARK,
  NAME_FIELDS,
  subjectTerms,
  type TermField,
} from "./index-terms.ts";
import { marketTerms } from "./market-terms.ts";
import type { FactFilter } from "./properties.ts";
import type { TermWriter } from "./term-writer.ts";

/** Bounds what a record with thousands of subjects or contributors costs. */
const MAX_FILTER_TERMS = 1000;

type TermValues = string | readonly string[] | null | undefined;
/** The values of each field that a book has terms of, in the order of the terms. */
type TermTable<Field extends TermField, Book> = Readonly<Record<Field, (book: Book) => TermValues>>;

interface FilteredBook {
  readonly summary: Summary;
  readonly imprint: string | undefined;
}

/** Subjects have broader ones, too. */
const TERM_VALUES: TermTable<Exclude<TermField, FactFilter | "subject">, FilteredBook> = {
  isbn: ({ summary }) => summary.isbn,
  imprint: ({ imprint }) => imprint,
  language: ({ summary }) => summary.languages,
  form: ({ summary }) => summary.form,
  contributor: ({ summary }) => namesOf(summary),
  series: ({ summary }) => summary.collection,
  audience: ({ summary }) => summary.audience,
};

function namesOf({ contributors }: Summary): readonly string[] {
  const names: string[] = [];
  for (const { name } of contributors) if (name !== null) names.push(name);
  return names;
}

interface BookFacts {
  readonly summary: FactSummary;
  readonly lacks: number;
  /** The price bands; see `bandKeysOf`. */
  readonly prices: readonly string[];
}
type FactSummary = Pick<Summary, "availability" | "status" | "markets">;

const FACT_VALUES: TermTable<Exclude<FactFilter, "market">, BookFacts> = {
  availability: ({ summary }) => summary.availability,
  status: ({ summary }) => summary.status,
  price: ({ prices }) => prices,
  lacks: ({ lacks }) => (lacks === 0 ? undefined : needsOfBits(lacks)),
};

function addTerms<Field extends TermField, Book>(
  out: TermWriter,
  table: TermTable<Field, Book>,
  book: Book,
): void {
  for (const field in table) {
    const values = table[field](book);
    if (typeof values === "string") {
      if (values !== "") addTermOf(out, field, values);
    } else if (values) {
      for (const value of values) if (out.size < MAX_FILTER_TERMS) addTermOf(out, field, value);
    }
  }
}

/** Most names are those of few books: a cache of their terms would not help. */
function addTermOf(out: TermWriter, field: TermField, value: string): void {
  if (!NAME_FIELDS.has(field) || !out.addNameTerm(filterTerm(field, ""), value))
    out.addTerm(filterTerm(field, value));
}

export function addFilterTerms(out: TermWriter, book: FilteredBook): void {
  addTerms(out, TERM_VALUES, book);
  for (const term of isbnBeginningsOf(book.summary.isbn)) out.addTerm(term);
  for (const { scheme, code } of book.summary.subjects) {
    if (code === null) continue;
    for (const term of subjectTerms(scheme, code)) if (out.size < MAX_FILTER_TERMS) out.addTerm(term);
  }
}

const PRICE = filterTerm("price", "");

/** Returns the price bands of a book by its facts, which may be enclosed in spaces. */
export function bandKeysOfFacts(facts: string): readonly string[] {
  const keys: string[] = [];
  for (let at = facts.indexOf(PRICE); at >= 0; at = facts.indexOf(PRICE, at + 1)) {
    const end = facts.indexOf(" ", at);
    const [currency = "", ...start] = facts.slice(at + PRICE.length, end < 0 ? undefined : end).split(MARK);
    keys.push(`${currency.toUpperCase()} ${start.join(".")}`);
  }
  return keys;
}

/** Writes the terms that feeds change every night. */
export function addFactTerms(out: TermWriter, book: BookFacts): void {
  addTerms(out, FACT_VALUES, book);
  for (const term of marketTerms(book.summary.markets)) out.addTerm(term);
}
