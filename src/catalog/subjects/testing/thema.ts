/** A small file in the shape of Thema, with words of our own. */
import { type LabelLanguage, type StoredSubjects, storedSubjects } from "../subject-labels.ts";
import { parseThema } from "../thema-file.ts";

const LABELS: readonly (readonly [code: string, eng: string, spa: string | undefined, parent?: string])[] = [
  ["F", "Stories", "Narraciones"],
  ["FB", "Stories in general", "Narraciones en general", "F"],
  ["FBA", "Modern stories", "Narraciones modernas", "FB"],
  ["FY", "Special stories", "Narraciones especiales", "F"],
  ["FYD", "Letters and diaries", undefined, "FY"],
  ["Y", "For children", "Para niños"],
  ["1", "Places", "Lugares"],
  ["1D", "Europe", "Europa", "1"],
  ["1DSE", "Spain", "España", "1D"],
];

/** Returns the text of a file. The Spanish one lacks a code, as one of an older version does. */
export function themaFile(language: LabelLanguage): string {
  const Code = LABELS.flatMap(([code, eng, spa, parent]) => {
    const label = language === "eng" ? eng : spa;
    return label === undefined
      ? []
      : [
          {
            CodeValue: code,
            CodeDescription: label,
            CodeNotes: "",
            ...(parent && { CodeParent: parent }),
            IssueNumber: 1,
          },
        ];
  });
  return JSON.stringify({ CodeList: { CodeListDescription: "Test", ThemaCodes: { Code } } });
}

export function themaSubjects(language: LabelLanguage): StoredSubjects {
  return storedSubjects(parseThema(themaFile(language)));
}
