/** The ONIX code lists with English and Spanish labels. `npm run tables` generates the table. */
import table from "./tables/codes.json" with { type: "json" };

interface CodeList {
  /** EDItEUR's number of the list. */
  readonly list: number;
  readonly codes: readonly (readonly [code: string, english: string, spanish: string])[];
}

const { issue, ...lists } = table as unknown as { issue: number } & Record<string, CodeList>;

/** The issue of the code lists that the labels come from. */
export const codeListIssue: number = issue;

/** Code lists by category name of the API's translation table. The four of the specification come first. */
export const codeLists: Readonly<Record<string, CodeList>> = lists as unknown as Record<string, CodeList>;

const codesByList = new Map(
  Object.values(codeLists).map(({ list, codes }) => [list, new Set(codes.map(([code]) => code))]),
);

/** Returns undefined for a list that is not in the table. */
export function isCode(list: number, code: string): boolean | undefined {
  return codesByList.get(list)?.has(code);
}

/** Expects lower case (list 74). */
export function isLanguageCode(code: string): boolean {
  return isCode(74, code) === true;
}
