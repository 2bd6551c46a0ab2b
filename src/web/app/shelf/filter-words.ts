/** Words for the values of filters. */
import { useImprintNames } from "../shared/core/imprints.ts";
import { useLabels } from "../shared/core/labels.ts";
import { THEMA, useSubjects } from "../shared/core/subjects.ts";
import { useFormats, useTexts } from "../shared/core/texts.ts";
import { priceBandOf } from "../shared/format/price-band.ts";
import type { Hit } from "./results.ts";
import { type Choice, FILTER_VALUES } from "./selection.ts";
import { SHELF } from "./texts.ts";

export type FilterWords = (choice: Choice, value: string) => string;

/** Words of codes and imprints are loaded when `areNeeded`. `subjectWords` has those of chosen subjects. */
export function useFilterWords(
  areNeeded: boolean,
  subjectWords: ReadonlyMap<string, string> = NONE,
): FilterWords {
  const texts = useTexts(SHELF);
  const formats = useFormats();
  const label = useLabels(areNeeded);
  const imprintName = useImprintNames(areNeeded);
  return (choice, value) => {
    const shown = choice === "year" ? "text" : FILTER_VALUES[choice];
    if (typeof shown === "object") return label(shown.category, value);
    switch (shown) {
      case "imprint":
        return imprintName(value);
      case "subject":
        return subjectWords.get(value) ?? value;
      case "price": {
        const band = priceBandOf(value);
        return band ? formats.priceBand(band) : value;
      }
      case "need":
        return texts.lacks[value] ?? value;
      case "day": {
        const day = /^(\d{4})(\d{2})(\d{2})$/.exec(value);
        return day ? formats.day(day.slice(1).join("-")) : value;
      }
      case "text":
        return value;
    }
  };
}

const NONE: ReadonlyMap<string, string> = new Map();

/**
 * Returns the words of chosen subjects: those of Thema, where they are loaded, or else the heading that a book of the list
 * has beside the code.
 */
export function useSubjectWords(
  chosen: readonly string[],
  books: readonly Pick<Hit, "subjects">[],
): ReadonlyMap<string, string> {
  const split = chosen.map((value) => {
    const [, scheme, code = value] = /^(\d\d):(.*)$/.exec(value) ?? [];
    return { value, scheme, code: code.toUpperCase() };
  });
  const isThema = (scheme: string | undefined) => scheme === undefined || THEMA.test(scheme);
  const thema = useSubjects(split.filter(({ scheme }) => isThema(scheme)).map(({ code }) => code));
  const headings = books.flatMap(({ subjects }) => subjects).filter(({ text }) => text !== null);
  return new Map(
    split.flatMap(({ value, scheme, code }) => {
      const isSame = (other: { readonly scheme: string | null; readonly code: string | null }) =>
        other.code === code && (scheme === undefined || other.scheme === scheme);
      const words = thema.find(isSame)?.label ?? headings.find(isSame)?.text;
      return words ? [[value, words] as const] : [];
    }),
  );
}
