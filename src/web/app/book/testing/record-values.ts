/** Which values of a record a reader of the page must find on it. */
import { type Described, type DescribedValue, describeFields } from "../../../../client/describe.ts";
import type { Language, Translations } from "../../../../client/labels.ts";
import { codeLists } from "../../../../onix/code-lists.ts";
import { plainText } from "../../../../onix/summary/plain-text.ts";
import { isCoded } from "../record/fields.ts";

/** The table of `/api/translations`. */
export const translations: Translations = Object.fromEntries(
  Object.entries(codeLists).map(([category, { codes }]) => [
    category,
    Object.fromEntries(codes.map(([code, eng, spa]) => [code, { eng, spa }])),
  ]),
);

export interface RecordValue {
  readonly field: string;
  readonly text: string;
  /** The code that the text is the label of. */
  readonly code?: string;
}

/** Fields that decide where a value is shown, and are not shown themselves. The whole tree shows them. */
const DECIDING = ["_id", "MainSubject", "NameType", "SequenceNumber", "TitleElementLevel", "TitleType"];
/** Units that are written as their signs, and values that say nothing: unrestricted, ONIX codes, exactly. */
const SILENT = [
  "AudienceCodeType",
  "AudienceRangePrecision",
  "ContentAudience",
  "ExtentUnit",
  "MeasureUnitCode",
];
const PRESENTATION = /@(language|textformat|textscript|textcase|dateformat)$|^DateFormat$/;
const HIDDEN: ReadonlySet<string> = new Set([...DECIDING, ...SILENT]);

export function describedIn(record: object, language: Language): Described {
  return describeFields(record, translations, language);
}

export function valuesOf(value: DescribedValue, field = ""): readonly RecordValue[] {
  if (Array.isArray(value)) return value.flatMap((each) => valuesOf(each, field));
  if (value === null) return [];
  if (typeof value === "string") return [{ field, text: value }];
  if (isCoded(value))
    return [{ field, text: value.label ?? value.code, ...(value.label && { code: value.code }) }];
  return Object.entries(value).flatMap(([key, each]) => valuesOf(each as DescribedValue, key));
}

export function hiddenValues(described: Described, shown: string): readonly RecordValue[] {
  const text = comparable(shown);
  return valuesOf(described).filter(
    ({ field, text: value }) => !HIDDEN.has(field) && !PRESENTATION.test(field) && !isIn(value, text),
  );
}

/** Keywords are split, markup becomes elements, and labels of units begin with a small letter. */
function isIn(value: string, shown: string): boolean {
  if (shown.includes(comparable(value))) return true;
  return comparable(plainText(value))
    .split(/[\s;,]+/)
    .every((word) => shown.includes(word));
}

function comparable(text: string): string {
  return text.replace(/\s+/g, " ").trim().toLowerCase();
}
