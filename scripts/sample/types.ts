/** The data of the sample: imprints, their books, and the products of the books. */

import type { Isbn13 } from "../../src/onix/isbn.ts";
import type { Kind } from "./subjects.ts";

/** The language of a description (ONIX list 74). */
export type DescriptionLanguage = "spa" | "eng" | "cat" | "glg" | "fre" | "por" | "ger" | "ita";

/** The product forms (ONIX list 150) in the sample. */
export type Form = "BB" | "BC" | "BE" | "BG" | "BH" | "BO" | "PC" | "SC" | "EA" | "ED" | "AJ";

/**
 * One product of a book: its form and its publication date. A form alone gets a date in the past.
 * `recent`: in the 90 days before the feed. `soon`: in the weeks after it. `far 7`: in slot 7 of the next five years.
 * Digits: that date. `none`: no date. `market`: a market date only.
 */
export type PlannedProduct =
  | Form
  | `${Form} ${"recent" | "soon" | "none" | "market" | `far ${number}` | number}`;

export interface Book {
  /** A bar ends the prefix that is ignored in sorting: "La |Regenta". */
  title: string;
  subtitle?: string;
  /** "Names before|Key names", or "=An Organisation". When omitted, the record has NoContributor. */
  authors?: string | string[];
  /** Further contributors: the role (ONIX list 17), a space, the name. */
  otherContributors?: string[];
  /** The year of first publication. */
  year?: number;
  /** Languages of the text. When omitted, the language of the imprint. */
  languages?: string[];
  /** The original language and title of a translation. */
  original?: [language: string, title: string];
  kind: Kind;
  keywords: string;
  /** A Thema place qualifier (scheme 94). */
  themaPlace?: string;
  pages: number;
  /** The description. A pair of asterisks is emphasis, an empty line starts a paragraph. */
  description: string;
  contents?: string[];
  review?: [quote: string, source: string];
  /** The collection and the number of the book in it. */
  collection?: [name: string, number?: number];
  yearOfAnnual?: string;
  edition?: { type?: string; number?: number; statement?: string };
  /** The interest age in years. */
  ages?: [from: number, to?: number];
  illustrations?: { count: number; type: string; note?: string };
  products: PlannedProduct[];
}

export interface Imprint {
  /** The two digits of its ISBNs after the common prefix. */
  code: string;
  name: string;
  /** Another spelling of the name, and how many of the books have it. */
  otherSpelling?: [name: string, books: number];
  publisher: string;
  /** The prefix of its ISBNs. When omitted, 978. */
  prefix?: "979";
  /** The records have a Publisher and no Imprint. */
  publisherOnly?: boolean;
  city: string;
  country: string;
  /** The language of the books. */
  language: string;
  /** The language of the descriptions. */
  descriptionLanguage: DescriptionLanguage;
  currency: "EUR" | "USD" | "GBP" | "MXN";
  units: [length: "in" | "mm", weight: "lb" | "kg" | "gr"];
  supplier: string;
  countriesOfManufacture: string[];
  /** The narrators of its audiobooks. */
  narrators?: string[];
  books: Book[];
}

export interface Product {
  number: number;
  reference: string;
  isbn: Isbn13;
  imprint: Imprint;
  imprintName: string;
  book: Book;
  form: Form;
  /** A date of 8, 6 or 4 digits (ONIX list 55, formats 00, 01 and 05). */
  date: string | undefined;
  marketDate: string | undefined;
  stage: "old" | "recent" | "soon" | "far";
  contributors: Credit[];
  siblings: Product[];
  /** Returns a number from 0 to 1 for a key. It depends on the ISBN and the key only. */
  chance: (key: string) => number;
}

export interface Credit {
  role: string;
  name: string;
}
