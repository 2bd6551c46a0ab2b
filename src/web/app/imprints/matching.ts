/** Finds imprints by a part of their names, without case and accents. */
import type { Imprint } from "../shared/core/imprints.ts";

export function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
}

/** Every word of the filter must be in the name. Imprints are in the order of their names. */
export function matchingImprints<T extends Pick<Imprint, "name" | "slug">>(
  imprints: readonly T[],
  filter: string,
): readonly T[] {
  const words = fold(filter).split(/\s+/).filter(Boolean);
  if (words.length === 0) return imprints;
  return imprints.filter(({ name, slug }) => {
    const text = `${fold(name)} ${slug}`;
    return words.every((word) => text.includes(word));
  });
}

export function byName(imprints: readonly Imprint[], languageTag: string): readonly Imprint[] {
  const { compare } = new Intl.Collator(languageTag, { numeric: true });
  return imprints.toSorted((a, b) => compare(a.name, b.name));
}
