/** The shapes of the sample's data: imprints, their books, and the products made of them. */

import type { Kind } from "./subjects.ts";

/** A language that descriptions are written in. */
export type Prose = "spa" | "eng" | "cat" | "glg" | "fre" | "por" | "ger" | "ita";

/** Product forms of ONIX list 150 that the sample uses. */
export type Form = "BB" | "BC" | "BE" | "BG" | "BH" | "BO" | "PC" | "SC" | "EA" | "ED" | "AJ";

/**
 * One product of a book: its form, then when it was published. Without a date: some day of the past.
 * `recent`: in the 90 days before the feed; `soon`: in the weeks after it; `far 7`: the seventh of the slots
 * that reach five years ahead; digits: that date; `none`: no date at all; `market`: a date of its market only.
 */
export type Item = Form | `${Form} ${"recent" | "soon" | "none" | "market" | `far ${number}` | number}`;

export interface Book {
  /** A bar ends the prefix that sorting leaves out: "La |Regenta". */
  title: string;
  subtitle?: string;
  /** "Names before|Key names", or "=An Organisation". Without authors: the ONIX flag NoContributor. */
  by?: string | string[];
  /** Further contributors: the code of the role, a space, the name. */
  also?: string[];
  /** Of first publication. */
  year?: number;
  /** Languages of the text, where they are not the imprint's. */
  text?: string[];
  /** Of a translation: the language and the title it was translated from. */
  from?: [language: string, title: string];
  kind: Kind;
  keywords: string;
  /** Thema place qualifier. */
  place?: string;
  pages: number;
  /** The description; a pair of asterisks is emphasis, an empty line a new paragraph. */
  about: string;
  contents?: string[];
  review?: [quote: string, source: string];
  /** A collection and the number in it. */
  series?: [name: string, number?: number];
  yearOfAnnual?: string;
  edition?: { type?: string; number?: number; statement?: string };
  /** Interest age in years: from, to. */
  ages?: [from: number, to?: number];
  illustrations?: { count: number; type: string; note?: string };
  as: Item[];
}

export interface Imprint {
  /** Two digits: the first free ones of its ISBNs. */
  code: string;
  name: string;
  /** Another spelling of the name, and how many of the books carry it. */
  otherSpelling?: [name: string, books: number];
  publisher: string;
  /** Of its ISBNs; 978 unless told. */
  prefix?: "979";
  /** Its records name the publisher and have no Imprint. */
  publisherOnly?: boolean;
  city: string;
  country: string;
  /** The language of the books, and of what is said about them. */
  language: string;
  prose: Prose;
  currency: "EUR" | "USD" | "GBP" | "MXN";
  units: [length: "in" | "mm", weight: "lb" | "kg" | "gr"];
  supplier: string;
  madeIn: string[];
  readers?: string[];
  books: Book[];
}

export interface Product {
  number: number;
  reference: string;
  isbn: string;
  imprint: Imprint;
  imprintName: string;
  book: Book;
  form: Form;
  /** An ONIX date of 8, 6 or 4 digits. */
  date: string | undefined;
  marketDate: string | undefined;
  stage: "old" | "recent" | "soon" | "far";
  contributors: Credit[];
  siblings: Product[];
  /** Dice of its own, so that one book's change leaves the others as they were. */
  chance: (salt: string) => number;
}

export interface Credit {
  role: string;
  name: string;
}
