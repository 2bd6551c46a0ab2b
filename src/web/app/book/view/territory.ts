/** Territories in words: "World, except Spain and Andorra". */
import { joined } from "../../shared/format/intl.ts";
import type { Fields, ViewContext } from "../record/fields.ts";

const EXCEPT = { eng: "except", spa: "excepto" } as const;

/** Returns the territories of composites as one text, which is empty without countries and regions. */
export function territoryText(parents: readonly Fields[], context: ViewContext): string {
  const territories = parents.flatMap((parent) => parent.composites("Territory"));
  return territories
    .map((territory) => wordsOf(territory, context))
    .filter(Boolean)
    .join("; ");
}

function wordsOf(territory: Fields, { language }: ViewContext): string {
  const included = [...territory.all("RegionsIncluded"), ...territory.all("CountriesIncluded")];
  const excluded = [...territory.all("RegionsExcluded"), ...territory.all("CountriesExcluded")];
  const words = (list: typeof included) =>
    joined(
      list.map(({ text }) => text),
      language,
    );
  if (excluded.length === 0) return words(included);
  return [included.length > 0 ? `${words(included)},` : "", EXCEPT[language], words(excluded)]
    .filter(Boolean)
    .join(" ");
}
