/** The contributors of a book, in their order (ONIX group P.7). */
import { allOf, composites, firstText, texts } from "../record/field-access.ts";
import type { RecordFields } from "../record/record-fields.ts";

export interface Contributor {
  /** Is null for a contributor without a name, such as "various" (UnnamedPersons). */
  readonly name: string | null;
  /** The first ContributorRole (list 17). */
  readonly role: string | null;
}

/** The parts of a person's name in the order in which they are read. Titles and honours are not part of it. */
const NAME_PARTS = ["NamesBeforeKey", "PrefixToKey", "KeyNames", "NamesAfterKey", "SuffixToKey"] as const;

export function contributorsOf(record: RecordFields): readonly Contributor[] {
  const contributors = allOf(record, "DescriptiveDetail").flatMap(({ Contributor }) =>
    composites(Contributor),
  );
  return contributors
    .toSorted((a, b) => sequenceNumber(a) - sequenceNumber(b))
    .map((contributor) => ({
      name: nameOf(contributor) ?? null,
      role: texts(contributor.ContributorRole)[0] ?? null,
    }));
}

/** Contributors without a number keep their order, behind the others. */
function sequenceNumber({ SequenceNumber }: RecordFields): number {
  const text = firstText(SequenceNumber);
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.MAX_SAFE_INTEGER;
}

function nameOf(contributor: RecordFields): string | undefined {
  const parts = NAME_PARTS.map((part) => firstText(contributor[part])).filter((part) => part !== "");
  return (
    texts(contributor.PersonName)[0] ||
    (firstText(contributor.KeyNames) && parts.join(" ")) ||
    inReadingOrder(firstText(contributor.PersonNameInverted)) ||
    texts(contributor.CorporateName)[0] ||
    texts(contributor.CorporateNameInverted)[0] ||
    composites(contributor.AlternativeName).map(nameOf).find(Boolean)
  );
}

/** Turns "García Márquez, Gabriel" round. A name with two commas, such as "King, Martin Luther, Jr", stays. */
function inReadingOrder(inverted: string): string {
  const [, key, before] = /^([^,]+), *([^,]+)$/.exec(inverted) ?? [];
  return key === undefined ? inverted : `${before} ${key}`;
}
