/** Words for the values of filters. */
import { useImprintNames } from "../shared/core/imprints.ts";
import { useLabels } from "../shared/core/labels.ts";
import { useFormats, useTexts } from "../shared/core/texts.ts";
import { FILTER_VALUES, type Filter } from "./selection.ts";
import { SHELF } from "./texts.ts";

export function useFilterWords(): (filter: Filter | "year", value: string) => string {
  const texts = useTexts(SHELF);
  const formats = useFormats();
  const label = useLabels();
  const imprintName = useImprintNames();
  return (filter, value) => {
    const shown = filter === "year" ? "text" : FILTER_VALUES[filter];
    if (typeof shown === "object") return label(shown.category, value);
    switch (shown) {
      case "imprint":
        return imprintName(value);
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
