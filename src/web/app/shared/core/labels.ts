/** Words for codes, from `/api/translations`. The table is large: it is loaded once, when a component needs it. */
import type { Translations } from "../../../../client/labels.ts";
import { get } from "./api.ts";
import { loadedOnce } from "./loading.ts";
import { useObservable } from "./observable.ts";
import { language } from "./settings.ts";

export const useTranslations = loadedOnce<Translations>(
  async () => (await get<Translations>("translations")).body,
  {},
);

/** Returns the label of a code in a category such as `product_forms`. Is the code itself while there is no label. */
export function useLabels(isNeeded = true): (category: string, code: string) => string {
  const table = useTranslations(isNeeded);
  const chosen = useObservable(language);
  return (category, code) => {
    const labels = table?.[category];
    return labels && Object.hasOwn(labels, code) ? labels[code]![chosen] : code;
  };
}
