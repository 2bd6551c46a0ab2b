import type { Entry } from "./store.ts";

/** The imprint of that name; none where the name has neither letter nor digit. */
export function imprintFromName(name: string): Entry["imprint"] {
  const slug = slugOf(name);
  return slug === "" ? undefined : { slug, name };
}

/**
 * The identifier of an imprint: NFKD without marks, lower case, every run of anything but letters and digits
 * (of any script) one hyphen, none at the ends. `10/18` is `10-18`, `Península` is `peninsula`.
 */
export function slugOf(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^\p{L}\p{Nd}]+/gu, "-")
    .replace(/^-|-$/g, "");
}
