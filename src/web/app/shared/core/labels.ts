/** Words for codes, from `/api/translations`. The table is large: it is loaded once, when a component needs it. */
import { useEffect } from "preact/hooks";
import type { Language, Translations } from "../../../../client/labels.ts";
import { get } from "./api.ts";
import { onReconnect } from "./connection.ts";
import { Observable, useObservable } from "./observable.ts";
import { language } from "./settings.ts";

/** Stands for the table while it cannot be loaded. */
const NONE: Translations = {};
const translations = new Observable<Translations | undefined>(undefined);
let isLoading = false;

/** Returns the label of a code in a category such as `product_forms`. Is the code itself while there is no label. */
export type LabelOf = (category: string, code: string) => string;

export function useLabels(isNeeded = true): LabelOf {
  const table = useTranslations(isNeeded);
  const chosen = useObservable(language);
  return (category, code) => labelIn(table, chosen, category, code);
}

/** Returns undefined until the table is loaded, or cannot be. Loads it when `isNeeded`. */
export function useTranslations(isNeeded = true): Translations | undefined {
  useEffect(() => {
    if (isNeeded) loadTranslations();
  }, [isNeeded]);
  return useObservable(translations);
}

function labelIn(
  table: Translations | undefined,
  language: Language,
  category: string,
  code: string,
): string {
  const labels = table?.[category];
  return labels && Object.hasOwn(labels, code) ? labels[code]![language] : code;
}

/** A failure leaves codes as they are, until the service responds again or another component needs labels. */
function loadTranslations(): void {
  if (isLoading || (translations.value && translations.value !== NONE)) return;
  isLoading = true;
  get<Translations>("translations")
    .then(({ body }) => translations.set(body))
    .catch(() => {
      translations.set(NONE);
      onReconnect(loadTranslations);
    })
    .finally(() => {
      isLoading = false;
    });
}
