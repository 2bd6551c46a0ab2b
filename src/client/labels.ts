/** Words for codes, from `GET /api/translations`. */
export type Language = "eng" | "spa";

export interface Label {
  readonly eng: string;
  readonly spa: string;
}

/** Categories such as `product_forms`, each with labels by code. */
export type Translations = Readonly<Record<string, Readonly<Record<string, Label>>>>;

/** Returns the categories that have a code. The table's `_id` is no category. */
function categoriesOf(translations: Translations, code: string): string[] {
  return Object.keys(translations).filter(
    (name) => name !== "_id" && Object.hasOwn(translations[name]!, code),
  );
}

/**
 * Returns the label of a code. Without a category, the code must occur in one category only: most codes mean
 * something else in each list.
 */
export function labelOf(
  translations: Translations,
  code: string,
  language: Language,
  category: string | undefined,
): string | undefined {
  const categories = category === undefined ? categoriesOf(translations, code) : [category];
  if (categories.length > 1) {
    throw new TypeError(
      `The code ${code} is in ${categories.length} categories (${categories.slice(0, 3).join(", ")}, …); give the category.`,
    );
  }
  const labels = translations[categories[0] ?? ""];
  return labels && Object.hasOwn(labels, code) ? labels[code]![language] : undefined;
}
