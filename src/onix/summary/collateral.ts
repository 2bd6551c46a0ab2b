/** The description and the cover of a book (ONIX groups P.14 and P.16). */
import { allOf, composites, firstText, texts } from "../record/field-access.ts";
import type { RecordFields, RecordValue } from "../record/record-fields.ts";
import { plainText } from "./plain-text.ts";

/** TextType (list 153), in the order of preference: description, short description, primary cover copy. */
const DESCRIPTIONS: readonly string[] = ["03", "02", "05"];
/** ContentAudience (list 154), in the order of preference: unrestricted, end customers. Others follow. */
const AUDIENCES: readonly string[] = ["00", "03"];
/** ContentAudience of material that is not for everybody who reads the catalog. */
const RESTRICTED = "01";

/** ResourceContentType (list 158) and ResourceMode (list 159). */
const FRONT_COVER = "01";
const IMAGE = "03";
/** ResourceForm (list 161), in the order of preference: downloadable file, linkable resource. */
const FORMS: readonly string[] = ["02", "01"];

/** Returns the description as plain text. Of several, one in a language of the book is preferred. */
export function descriptionOf(record: RecordFields, languages: readonly string[]): string | null {
  let [best, bestRank] = ["", Number.POSITIVE_INFINITY];
  for (const content of collateral(record, "TextContent")) {
    const type = DESCRIPTIONS.indexOf(firstText(content.TextType));
    if (type < 0) continue;
    const audience = audienceRank(content);
    for (const { text, language } of localTexts(content)) {
      const isForeign = language !== "" && languages.length > 0 && !languages.includes(language);
      const rank = type * 100 + audience * 10 + (isForeign ? 1 : 0);
      if (rank < bestRank) [best, bestRank] = [text, rank];
    }
  }
  return plainText(best) || null;
}

/** Returns the address of the front cover. Only http and https can be shown on a page. */
export function coverOf(record: RecordFields): string | null {
  let [best, bestRank] = ["", Number.POSITIVE_INFINITY];
  for (const resource of collateral(record, "SupportingResource")) {
    if (firstText(resource.ResourceContentType) !== FRONT_COVER) continue;
    if (firstText(resource.ResourceMode) !== IMAGE) continue;
    for (const version of composites(resource.ResourceVersion)) {
      const link = texts(version.ResourceLink).find((each) => /^https?:\/\/[^\s]+$/i.test(each));
      if (link === undefined) continue;
      const rank = audienceRank(resource) * 10 + rankIn(FORMS, firstText(version.ResourceForm));
      if (rank < bestRank) [best, bestRank] = [link, rank];
    }
  }
  return best || null;
}

/** Lists composites of the collateral block, without restricted ones. */
function collateral(record: RecordFields, name: string): readonly RecordFields[] {
  return allOf(record, "CollateralDetail")
    .flatMap((block) => composites(block[name]))
    .filter(({ ContentAudience }) => !texts(ContentAudience).includes(RESTRICTED));
}

/** Material without an audience counts as unrestricted. */
function audienceRank({ ContentAudience }: RecordFields): number {
  const ranks = texts(ContentAudience).map((audience) => rankIn(AUDIENCES, audience));
  return ranks.length === 0 ? 0 : Math.min(...ranks);
}

function rankIn(preferred: readonly string[], code: string): number {
  const rank = preferred.indexOf(code);
  return rank < 0 ? preferred.length : rank;
}

/** Lists the texts of a TextContent with their languages, which are attributes of the same shape. */
function localTexts({ Text, "Text@language": languages }: RecordFields) {
  const values: readonly (RecordValue | undefined)[] = Array.isArray(Text) ? Text : [Text];
  const codes: readonly (RecordValue | undefined)[] = Array.isArray(languages) ? languages : [languages];
  return values.flatMap((value, index) => {
    const text = firstText(value);
    return text === "" ? [] : [{ text, language: firstText(codes[index]).toLowerCase() }];
  });
}
