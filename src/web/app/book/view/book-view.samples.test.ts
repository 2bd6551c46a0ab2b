/** Every value of every record is in the view: in one of its parts, or in the tree of remaining fields. */
import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type DescribedValue, describeFields } from "../../../../client/describe.ts";
import type { Language, Translations } from "../../../../client/labels.ts";
import { sharedFile } from "../../../../lib/testing/shared-files.ts";
import { codeLists } from "../../../../onix/code-lists.ts";
import { recordOf } from "../../../../onix/testing/record.ts";
import { readSample } from "../../../../onix/testing/samples.ts";
import { isCoded } from "../record/fields.ts";
import { bookViewOf } from "./book-view.ts";

const samples = sharedFile("onix/samples");

const translations: Translations = Object.fromEntries(
  Object.entries(codeLists).map(([category, { codes }]) => [
    category,
    Object.fromEntries(codes.map(([code, eng, spa]) => [code, { eng, spa }])),
  ]),
);

/** Fields that decide where a value is shown, and are not shown themselves. The whole tree shows them. */
const DECIDING = new Set([
  "_id",
  "MainSubject",
  "NameType",
  "SequenceNumber",
  "TitleElementLevel",
  "TitleType",
]);
/** Units that are written as their signs, and values that say nothing: ONIX audience codes, the precision "exactly". */
const SILENT = new Set(["AudienceCodeType", "AudienceRangePrecision", "ExtentUnit", "MeasureUnitCode"]);
const PRESENTATION = /@(language|textformat|textscript|textcase|dateformat)$|^DateFormat$/;

/** Returns the values of a record with the names of their fields. */
function leavesOf(value: DescribedValue, name = ""): [name: string, text: string][] {
  if (Array.isArray(value)) return value.flatMap((each) => leavesOf(each, name));
  if (value === null) return [];
  if (typeof value === "string") return [[name, value]];
  if (isCoded(value)) return [[name, value.label ?? value.code]];
  return Object.entries(value).flatMap(([key, each]) => leavesOf(each, key));
}

/** Returns all texts of a view. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

async function sampleRecords(): Promise<readonly Record<string, unknown>[]> {
  const read = await Promise.all(
    readdirSync(samples.path).map((file) => readSample(join(samples.path, file))),
  );
  return read
    .flatMap((sample) => sample?.scanned.products ?? [])
    .filter(({ action }) => action !== "rejection" && action !== "deletion")
    .map(recordOf);
}

describe.skipIf(samples.missing)("the samples (skipped without ../shared)", () => {
  test("have every value in the view, in both languages", async () => {
    const records = await sampleRecords();
    expect(records.length).toBeGreaterThan(150);
    const hidden = records.flatMap((record) =>
      (["eng", "spa"] as const).flatMap((language) => hiddenValues(record, language)),
    );
    expect(hidden).toEqual([]);
  });
});

function hiddenValues(record: object, language: Language): [name: string, text: string][] {
  const described = describeFields(record, translations, language);
  const { everything: _, ...view } = bookViewOf(described, { language, today: "20260101" });
  const shown = textsOf(view).join("\n").toLowerCase();
  return leavesOf(described).filter(
    ([name, text]) =>
      !DECIDING.has(name) && !SILENT.has(name) && !PRESENTATION.test(name) && !isShown(text, shown),
  );
}

/** Keywords are split, labels of units begin with a small letter, and whitespace at their ends is removed. */
function isShown(text: string, shown: string): boolean {
  return (
    shown.includes(text.toLowerCase()) ||
    text
      .toLowerCase()
      .split(/[;,]/)
      .every((part) => shown.includes(part.trim()))
  );
}
