/** The ONIX code lists with English and Spanish labels. `npm run tables` generates the table. */
import table from "./generated/codes.json" with { type: "json" };

interface CodeList {
  /** EDItEUR's number of the list. */
  readonly list: number;
  /** EDItEUR's English name of the list. */
  readonly title: string;
  readonly codes: readonly (readonly [code: string, english: string, spanish: string])[];
}

const { issue, ...lists } = table as unknown as { issue: number } & Record<string, CodeList>;

/** The issue of the code lists that the labels come from. */
export const codeListIssue: number = issue;

/** Code lists by category name of the API's translation table. The four of the specification come first. */
export const codeLists: Readonly<Record<string, CodeList>> = lists as unknown as Record<string, CodeList>;

const rowsByList = new Map(
  Object.values(codeLists).map(({ list, codes }) => [list, new Map(codes.map((row) => [row[0], row]))]),
);

const categoryByList = new Map(Object.entries(codeLists).map(([category, { list }]) => [list, category]));

/** Returns the category with the labels of a list; undefined for a list without codes, such as 88. */
export function categoryOf(list: number): string | undefined {
  return categoryByList.get(list);
}

/** Returns undefined for a list that is not in the table. */
export function isCode(list: number, code: string): boolean | undefined {
  return rowsByList.get(list)?.has(code);
}

/** Returns undefined for a code that is not in the list. */
export function codeLabel(list: number, code: string, language: "eng" | "spa"): string | undefined {
  return rowsByList.get(list)?.get(code)?.[language === "eng" ? 1 : 2];
}

/** Returns no codes for a list that is not in the table. */
export function codesOfList(list: number): readonly string[] {
  return [...(rowsByList.get(list)?.keys() ?? [])];
}

// The code lists that the element table does not have: those of attributes, and of values with several codes.

/** By the name of the attribute, which means the same on every element. */
export const ATTRIBUTE_LISTS: Readonly<Record<string, number>> = {
  dateformat: 55,
  language: 74,
  sourcetype: 3,
  textcase: 14,
  textformat: 34,
  textscript: 121,
};

/** Every element may have these attributes. */
export const GENERAL_ATTRIBUTES: ReadonlySet<string> = new Set([
  "refname",
  "shortname",
  "datestamp",
  "sourcename",
  "sourcetype",
]);

const LISTS_OF_DATATYPES: Readonly<Record<string, number>> = { CountryCodeList: 91, RegionCodeList: 49 };

/** Returns the code list of a datatype whose values are several codes, separated by spaces. */
export function listOfDatatype(type: string | undefined): number | undefined {
  return type === undefined ? undefined : LISTS_OF_DATATYPES[type];
}
