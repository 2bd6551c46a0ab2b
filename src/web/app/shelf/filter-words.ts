/** Words for the values of filters. */
import { useImprintNames } from "../shared/core/imprints.ts";
import { useLabels } from "../shared/core/labels.ts";
import { useFormats, useTexts } from "../shared/core/texts.ts";
import type { Filter } from "./selection.ts";
import { SHELF } from "./texts.ts";

const CATEGORIES: Readonly<Partial<Record<string, string>>> = {
  language: "languages",
  form: "product_forms",
  availability: "product_availability",
  status: "publishing_status",
};

export function useFilterWords(): (filter: Filter | "year", value: string) => string {
  const texts = useTexts(SHELF);
  const formats = useFormats();
  const label = useLabels();
  const imprintName = useImprintNames();
  return (filter, value) => {
    if (filter === "imprint") return imprintName(value);
    if (filter === "lacks") return texts.lacks[value] ?? value;
    const day = /^(\d{4})(\d{2})(\d{2})$/.exec(value);
    if ((filter === "from" || filter === "to") && day) return formats.day(day.slice(1).join("-"));
    const category = CATEGORIES[filter];
    return category ? label(category, value) : value;
  };
}
