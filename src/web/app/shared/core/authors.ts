/** The names under a title. */
import type { Summary } from "../../../../client/generated/book.ts";

type Named = Pick<Summary["contributors"][number], "name" | "roles">;

const MAX_NAMES = 3;

/** Returns the authors (roles that begin with A), or else the first contributor. */
export function authorsOf({ contributors }: { readonly contributors: readonly Named[] }): string {
  const named = contributors.filter(({ name }) => name !== null);
  const authors = named.filter(({ roles }) => roles.includes("A01"));
  const creators =
    authors.length > 0 ? authors : named.filter(({ roles }) => roles.some((role) => role.startsWith("A")));
  const names = (creators.length > 0 ? creators : named.slice(0, 1)).map(({ name }) => name!);
  return names.slice(0, MAX_NAMES).join(", ") + (names.length > MAX_NAMES ? " …" : "");
}
