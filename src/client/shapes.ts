/** The types of books, by the view and shape that was requested; see docs/summary.md. */
import type { Book, Summary, SummaryPart } from "./generated/book.ts";
import type { Language } from "./labels.ts";
import type { Query } from "./transport.ts";

export type View = "record" | "summary";
export type SummaryField = keyof Summary;

export interface ShapeOptions<
  V extends View = View,
  F extends SummaryField = SummaryField,
  L extends Language | undefined = Language | undefined,
> {
  /** Default: `record`, and `summary` in a search. */
  readonly view?: V;
  /** Only these members of summaries. */
  readonly fields?: readonly F[] | undefined;
  /** The language of words beside the codes of summaries. */
  readonly labels?: L;
}

/** Where words of the query stand in a text. `ranges` are in UTF-16 code units. */
export type Highlight = NonNullable<SummaryPart["highlights"]>[number];

/** The same with all members, also within. */
type Complete<T> = T extends readonly (infer Item)[]
  ? readonly Complete<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]-?: Complete<T[Name]> }
    : T;

/** A summary with words beside its codes. */
export type LabelledSummary = Complete<Omit<SummaryPart, "editions" | "highlights">>;

/** The members with the labels of a field: `formLabel`, `languageLabels`. */
type LabelsOf<F extends string> =
  | `${F}Label`
  | `${F}Labels`
  | (F extends `${infer Singular}s` ? `${Singular}Labels` : never);

type WithFields<S, F extends string> = [SummaryField] extends [F]
  ? S
  : Pick<S, Extract<keyof S, F | LabelsOf<F>>>;

/** A book as it was requested. */
export type Shaped<
  V extends View,
  F extends SummaryField = SummaryField,
  L extends Language | undefined = undefined,
> = V extends "summary" ? WithFields<L extends Language ? LabelledSummary : Summary, F> : Book;

/** A book that a search has found. */
export type Found<
  V extends View,
  F extends SummaryField = SummaryField,
  L extends Language | undefined = undefined,
  H extends boolean | undefined = false,
> = Shaped<V, F, L> &
  (H extends true ? { readonly highlights: readonly Highlight[] } : unknown) & {
    /** With `group: "work"`: the ISBNs of the other editions of its work on the same page. */
    readonly editions?: readonly string[];
  };

/** Returns the parameters of the options. */
export function shapeQuery({ view, fields, labels }: ShapeOptions): Query {
  return { view, fields: fields?.join(), labels };
}
