/** Reads the subject categories of Thema as EDItEUR publishes them: a JSON file for each language. */
import { basename } from "node:path";
import { keptText } from "../history/kept-complaints.ts";
import type { LabelLanguage, Subject } from "./subject-labels.ts";

/** Thema 1.6 has fewer than 10,000 codes. The limits bound the memory of the labels, which every process holds. */
const MAX_CODES = 20_000;
const MAX_LABEL_CHARS = 300;
export const MAX_FILE_BYTES = 32 << 20;

const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** A code of a subject. */
export const SUBJECT_CODE = /^[0-9A-Z][0-9A-Z-]{0,29}$/;

/** The end of the names of EDItEUR's files: `20250410_Thema_v1.6_es.json`. */
const FILE_LANGUAGES: Readonly<Record<string, LabelLanguage>> = { en: "eng", es: "spa" };

/** Returns the language that the name of a file has. The content does not name it. */
export function languageOfFile(path: string): LabelLanguage | undefined {
  const suffix = /[_.-]([a-z]{2})\.json$/i.exec(basename(path))?.[1]?.toLowerCase();
  return suffix === undefined ? undefined : FILE_LANGUAGES[suffix];
}

/** Returns the codes in the order of the file. Throws an error that says what is wrong with the file. */
export function parseThema(text: string): readonly Subject[] {
  const entries = entriesOf(parseJson(text));
  if (entries.length === 0) throw new Error("it has no codes");
  if (entries.length > MAX_CODES) throw new Error(`it has more than ${MAX_CODES} codes`);
  const subjects = entries.map(subjectOf);
  const codes = new Set(subjects.map(({ code }) => code));
  if (codes.size < subjects.length) throw new Error("it has a code twice");
  const orphan = subjects.find(({ parent }) => parent !== "" && !codes.has(parent));
  if (orphan) throw new Error(`it lacks ${orphan.parent}, the parent of ${orphan.code}`);
  return subjects;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    throw new Error("it is not JSON");
  }
}

function entriesOf(json: unknown): readonly unknown[] {
  const codes = member(member(member(json, "CodeList"), "ThemaCodes"), "Code");
  if (!Array.isArray(codes))
    throw new Error("it has no CodeList.ThemaCodes.Code, as Thema's JSON files have");
  return codes;
}

function subjectOf(entry: unknown, index: number): Subject {
  const [code, label, parent] = ["CodeValue", "CodeDescription", "CodeParent"].map((name) => {
    const value = member(entry, name) ?? "";
    return typeof value === "string" || Number.isInteger(value) ? String(value).trim() : undefined;
  });
  if (code === undefined || !SUBJECT_CODE.test(code))
    throw new Error(`code ${index + 1} has no usable CodeValue`);
  if (!label) throw new Error(`${code} has no CodeDescription`);
  if (parent === undefined || (parent !== "" && !SUBJECT_CODE.test(parent)) || parent === code)
    throw new Error(`the CodeParent of ${code} is not a code`);
  return { code, label: keptText(label.replace(CONTROLS, " "), MAX_LABEL_CHARS), parent };
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
