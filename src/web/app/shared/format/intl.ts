/**
 * Formatters of `Intl` for the two languages of the page. Nothing outside of this folder formats numbers or dates.
 *
 * The first formatter of a window takes Chromium 50 to 65 ms, because it reads the data of all languages, and a row of
 * results would need three kinds. So numbers, days, and amounts in euros, dollars and pounds are written without one, as
 * `Intl` writes them.
 */
import type { Language } from "../../../../client/labels.ts";

/** British days are not mistaken elsewhere, and `US$` is no other dollar. */
const LOCALES: Readonly<Record<Language, string>> = { eng: "en-GB", spa: "es-ES" };

/** Joins words as the language does: "a, b and c". */
export function joined(texts: readonly string[], language: Language): string {
  return formatter(Intl.ListFormat, language, { type: "conjunction" }).format(texts);
}

type Constructor<F, O> = { new (locale: string, options: O): F; readonly name: string };
const formatters = new Map<string, unknown>();

/** Returns a formatter of `Intl`. Making one takes longer than using it a hundred times, so each is made once. */
export function formatter<F, O>(type: Constructor<F, O>, language: Language, options: O): F {
  const key = `${type.name} ${language} ${JSON.stringify(options)}`;
  const made = (formatters.get(key) as F | undefined) ?? new type(LOCALES[language], options);
  formatters.set(key, made);
  return made;
}
