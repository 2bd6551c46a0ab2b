/** The contributors of a book, in their order (ONIX group P.7). */
import { inReadingOrder, joinParts, NAME_PARTS } from "../../client/names.ts";
import type { BookFields } from "../fields/book-fields.ts";
import { composites, firstNonEmpty, firstText, texts, wholeNumber } from "../record/field-access.ts";
import { plainLine } from "./plain-text.ts";

export interface Contributor {
  /** Null for a contributor without a name, such as "various" (UnnamedPersons). */
  readonly name: string | null;
  /** The first ContributorRole (list 17). */
  readonly role: string | null;
  /** All of them, in their order. */
  readonly roles: readonly string[];
}

/** Expects the blocks DescriptiveDetail. */
export function contributorsOf(details: readonly BookFields[]): readonly Contributor[] {
  const contributors: { readonly order: number; readonly contributor: Contributor }[] = [];
  for (const { Contributor } of details) {
    for (const each of composites(Contributor)) {
      const roles = texts(each.ContributorRole);
      const contributor = { name: plainLine(nameOf(each) ?? "") || null, role: roles[0] ?? null, roles };
      contributors.push({ order: sequenceNumber(each), contributor });
    }
  }
  if (contributors.length > 1) contributors.sort((a, b) => a.order - b.order);
  return contributors.map(({ contributor }) => contributor);
}

/** Contributors without a number keep their order, behind the others. */
function sequenceNumber({ SequenceNumber }: BookFields): number {
  return wholeNumber(firstText(SequenceNumber)) ?? Number.MAX_SAFE_INTEGER;
}

function nameOf(contributor: BookFields): string | undefined {
  const person = firstNonEmpty(contributor.PersonName);
  if (person !== null) return person;
  return (
    nameFromParts(contributor) ||
    inReadingOrder(firstText(contributor.PersonNameInverted)) ||
    firstNonEmpty(contributor.CorporateName) ||
    firstNonEmpty(contributor.CorporateNameInverted) ||
    composites(contributor.AlternativeName).map(nameOf).find(Boolean)
  );
}

function nameFromParts(contributor: BookFields): string {
  if (firstText(contributor.KeyNames) === "") return "";
  return joinParts(NAME_PARTS.map((part) => firstText(contributor[part])));
}
