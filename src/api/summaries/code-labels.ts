/** Words for codes, in the languages of the translation table. */
import { codeLists } from "../../onix/code-lists.ts";

export type LabelLanguage = "eng" | "spa";

const labels = new Map(
  Object.values(codeLists).map(({ list, codes }) => [
    list,
    new Map(codes.map(([code, eng, spa]) => [code, { eng, spa }])),
  ]),
);

/** Returns undefined for a code that is not in the list. */
export function codeLabel(list: number, code: string, language: LabelLanguage): string | undefined {
  return labels.get(list)?.get(code)?.[language];
}
