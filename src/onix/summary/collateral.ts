/** The description and the cover of a book (ONIX groups P.14 and P.16). */
import { webAddress } from "../../client/web-address.ts";
import type { BookFields } from "../fields/book-fields.ts";
import { composites, firstText, rankIn, texts } from "../record/field-access.ts";
import type { RecordValue } from "../record/record-fields.ts";
import { unreadable, type ValueProblem } from "./amount.ts";
import { plainText } from "./plain-text.ts";

/** TextType (list 153), in the order of preference: description, short description, primary cover copy. */
const DESCRIPTIONS: readonly string[] = ["03", "02", "05"];
/** ContentAudience (list 154), in the order of preference: unrestricted, end customers. Others follow. */
const AUDIENCES: readonly string[] = ["00", "03"];
/** ContentAudience of material that is not for everybody who reads the catalog. */
const RESTRICTED = "01";
const RESTRICTED_RANK = -1;

/** ResourceContentType (list 158), in the order of preference: front cover, cover or pack. */
const COVERS: readonly string[] = ["01", "03"];
/** ResourceMode (list 159). */
const IMAGE = "03";
/** ResourceForm (list 161), in the order of preference: downloadable file, linkable resource. */
const FORMS: readonly string[] = ["02", "01"];

/**
 * Returns the description as plain text. Of several, one in a language of the book is preferred. Expects the blocks
 * CollateralDetail.
 */
export function descriptionOf(blocks: readonly BookFields[], languages: readonly string[]): string | null {
  let [best, bestRank] = ["", Number.POSITIVE_INFINITY];
  for (const { TextContent } of blocks) {
    for (const content of composites(TextContent)) {
      const type = DESCRIPTIONS.indexOf(firstText(content.TextType));
      const audience = type < 0 ? RESTRICTED_RANK : audienceRank(content);
      if (audience === RESTRICTED_RANK) continue;
      const rank = type * 100 + audience * 10;
      // A text is decoded only when it can win.
      if (rank >= bestRank) continue;
      for (const { text, language } of localTexts(content)) {
        const isForeign = language !== "" && languages.length > 0 && !languages.includes(language);
        const rankInLanguage = isForeign ? rank + 1 : rank;
        if (rankInLanguage < bestRank) [best, bestRank] = [text, rankInLanguage];
      }
    }
  }
  return plainText(best) || null;
}

/** Returns the address of the cover. Only http and https can be shown on a page. */
export function coverOf(blocks: readonly BookFields[]): string | null {
  let [best, bestRank] = ["", Number.POSITIVE_INFINITY];
  for (const { SupportingResource } of blocks) {
    for (const resource of composites(SupportingResource)) {
      const type = COVERS.indexOf(firstText(resource.ResourceContentType));
      if (type < 0) continue;
      if (firstText(resource.ResourceMode) !== IMAGE) continue;
      const audience = audienceRank(resource);
      if (audience === RESTRICTED_RANK) continue;
      for (const version of composites(resource.ResourceVersion)) {
        const rank = type * 100 + audience * 10 + rankIn(FORMS, firstText(version.ResourceForm));
        if (rank >= bestRank) continue;
        const link = texts(version.ResourceLink).map(webAddress).find(Boolean);
        if (link !== undefined) [best, bestRank] = [link, rank];
      }
    }
  }
  return best || null;
}

/** Returns undefined for an address that can be shown, and for one that is not that of a cover. */
export function coverProblem(contentType: string, mode: string, link: string): ValueProblem | undefined {
  if (!COVERS.includes(contentType) || mode !== IMAGE || webAddress(link) !== undefined) return undefined;
  return unreadable("The ResourceLink of the cover", link, "an http or https address");
}

/** Material without an audience counts as unrestricted. */
function audienceRank({ ContentAudience }: BookFields): number {
  let best: number | undefined;
  for (const audience of texts(ContentAudience)) {
    if (audience === RESTRICTED) return RESTRICTED_RANK;
    best = Math.min(best ?? AUDIENCES.length, rankIn(AUDIENCES, audience));
  }
  return best ?? 0;
}

/** Lists the texts of a TextContent with their languages, which are attributes of the same shape. */
function localTexts(content: BookFields): { readonly text: string; readonly language: string }[] {
  const { Text, "Text@language": languages } = content;
  const values: readonly (RecordValue | undefined)[] = Array.isArray(Text) ? Text : [Text];
  const codes: readonly (RecordValue | undefined)[] = Array.isArray(languages) ? languages : [languages];
  const found: { readonly text: string; readonly language: string }[] = [];
  values.forEach((value, index) => {
    const text = firstText(value);
    if (text !== "") found.push({ text, language: firstText(codes[index]).toLowerCase() });
  });
  return found;
}
