/** The code lists of ONIX with English and Spanish labels. The table is made by `npm run tables`. */
import table from "./tables/codes.json" with { type: "json" };

export interface CodeList {
  /** EDItEUR's number of the list. */
  readonly list: number;
  readonly codes: readonly (readonly [code: string, eng: string, spa: string])[];
}

const { issue, ...lists } = table as unknown as { issue: number } & Record<string, CodeList>;

/** The issue of the code lists that the labels come from. */
export const codeListIssue: number = issue;

/** Lists under the names of the translation table's categories, the specification's four first. */
export const codeLists: Readonly<Record<string, CodeList>> = lists as unknown as Record<string, CodeList>;

const values = new Map(
  Object.values(codeLists).map(({ list, codes }) => [list, new Set(codes.map(([code]) => code))]),
);

/** Undefined when the list is not one that we know. */
export function isCode(list: number, code: string): boolean | undefined {
  return values.get(list)?.has(code);
}

/** A language of list 74, in lower case. */
export function isLanguage(code: string): boolean {
  return isCode(74, code) === true;
}
