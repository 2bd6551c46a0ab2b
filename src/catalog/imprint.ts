import type { Imprint } from "./store.ts";

/**
 * Returns the identifier of an imprint: NFKD without marks, in lower case, with one hyphen for each run of characters
 * that are neither letters nor digits of any script. `10/18` becomes `10-18`, `Península` becomes `peninsula`.
 */
export function slugOf(name: string): string {
  return (
    name
      // Ordering a run of marks takes quadratic time, so they go first.
      .replace(/\p{M}+/gu, "")
      .normalize("NFKD")
      .toLowerCase()
      .normalize("NFKD")
      .replace(/\p{M}+/gu, "")
      .replace(/[^\p{L}\p{Nd}]+/gu, "-")
      .replace(/^-|-$/g, "")
  );
}

/** Thousands of books share an imprint, and a slug is slow to compute. */
const imprintCache = new Map<string, Imprint | undefined>();
const MAX_CACHED_IMPRINTS = 10_000;

/** Returns undefined for a book without an imprint, and for a name without letters and digits, which has no slug. */
export function imprintOfName(name: string | undefined): Imprint | undefined {
  if (name === undefined) return undefined;
  if (!imprintCache.has(name)) {
    if (imprintCache.size >= MAX_CACHED_IMPRINTS) imprintCache.clear();
    const slug = slugOf(name);
    imprintCache.set(name, slug === "" ? undefined : { slug, name });
  }
  return imprintCache.get(name);
}

/** Returns a key for one spelling of an imprint. A slug has no line feed, so the key is unambiguous. */
export function spellingKey({ slug, name }: Imprint): string {
  return `${slug}\n${name}`;
}
