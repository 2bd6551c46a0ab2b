/** Subjects by scheme: the schemes of main subjects first, keywords one by one. */

import { type Fact, type Fields, factOf, type Shown } from "../record/fields.ts";
import { nameOf } from "./contributors.ts";

export interface SubjectGroup {
  /** The scheme in words, and its name when the sender has given one. */
  readonly scheme: string;
  /** The code of ONIX list 27. */
  readonly schemeCode: string;
  readonly version: string;
  readonly subjects: readonly SubjectView[];
}

export interface SubjectView {
  readonly code: string;
  readonly headings: readonly Shown[];
  readonly isMain: boolean;
}

interface SubjectsView {
  readonly groups: readonly SubjectGroup[];
  readonly keywords: Fact | undefined;
  /** Names of persons and organisations that the book is about. */
  readonly names: readonly Shown[];
}

/** ONIX list 27. */
const KEYWORDS = "20";

export function readSubjects(descriptive: Fields): SubjectsView {
  const groups = new Map<string, SubjectGroup & { readonly subjects: SubjectView[] }>();
  const keywords: Shown[] = [];
  let keywordsName = "";
  for (const subject of descriptive.composites("Subject")) {
    const schemeCode = subject.code("SubjectSchemeIdentifier");
    if (schemeCode === KEYWORDS) {
      keywordsName = subject.text("SubjectSchemeIdentifier");
      keywords.push(
        ...[...subject.all("SubjectHeadingText"), ...subject.all("SubjectCode")].flatMap(splitKeywords),
      );
      subject.flag("MainSubject");
      continue;
    }
    const schemes = [subject.one("SubjectSchemeIdentifier"), subject.one("SubjectSchemeName")];
    const scheme = schemes.flatMap((each) => each?.text ?? []).join(" · ");
    const version = subject.text("SubjectSchemeVersion");
    const key = [schemeCode, scheme, version].join("\n");
    const group = groups.get(key) ?? { scheme, schemeCode, version, subjects: [] };
    groups.set(key, group);
    group.subjects.push({
      code: subject.text("SubjectCode"),
      headings: subject.all("SubjectHeadingText"),
      isMain: isMain(subject),
    });
  }
  return {
    groups: [...groups.values()]
      .map((group) => ({ ...group, subjects: group.subjects.toSorted(mainFirst) }))
      .sort((a, b) => mainFirst(a.subjects[0]!, b.subjects[0]!)),
    keywords: factOf(keywordsName, keywords)[0],
    names: descriptive.mapPresent("NameAsSubject", nameOf),
  };
}

/** A subject that is not the main one has an empty array. */
function isMain(subject: Fields): boolean {
  return subject.flag("MainSubject") && subject.all("MainSubject").length > 0;
}

function mainFirst(a: SubjectView, b: SubjectView): number {
  return Number(b.isMain) - Number(a.isMain);
}

/** Most senders separate keywords by semicolons, as ONIX recommends; without one, by commas. */
function splitKeywords(shown: Shown): readonly Shown[] {
  const separator = shown.text.includes(";") ? ";" : ",";
  return shown.text
    .split(separator)
    .map((text) => ({ ...shown, text: text.trim() }))
    .filter(({ text }) => text !== "");
}
