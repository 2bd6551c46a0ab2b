/** Writes the terms of the filters that a book passes. */
import { needsOfBits } from "../../onix/completeness/book-needs.ts";
import type { Summary } from "../../onix/summary/summary.ts";
import { filterTerm, isbnBeginningsOf, subjectTerms, type TermField } from "./index-terms.ts";
import { marketTerms } from "./market-terms.ts";
import type { FactFilter } from "./properties.ts";
import type { TermWriter } from "./term-writer.ts";

/** Bounds what a record with thousands of subjects costs. */
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
};

interface BookFacts {
  readonly summary: FactSummary;
  readonly lacks: number;
}
type FactSummary = Pick<Summary, "availability" | "status" | "prices" | "markets">;

const FACT_VALUES: TermTable<Exclude<FactFilter, "market">, BookFacts> = {
  availability: ({ summary }) => summary.availability,
  status: ({ summary }) => summary.status,
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
      if (values !== "") out.addTerm(filterTerm(field, values));
    } else if (values) {
      for (const value of values) out.addTerm(filterTerm(field, value));
    }
  }
}

export function addFilterTerms(out: TermWriter, book: FilteredBook): void {
  addTerms(out, TERM_VALUES, book);
  for (const term of isbnBeginningsOf(book.summary.isbn)) out.addTerm(term);
  for (const { scheme, code } of book.summary.subjects) {
    if (code === null) continue;
    for (const term of subjectTerms(scheme, code)) if (out.size < MAX_FILTER_TERMS) out.addTerm(term);
  }
}

/** Writes the terms that feeds change every night. */
export function addFactTerms(out: TermWriter, book: BookFacts): void {
  addTerms(out, FACT_VALUES, book);
  for (const term of marketTerms(book.summary.markets)) out.addTerm(term);
}
