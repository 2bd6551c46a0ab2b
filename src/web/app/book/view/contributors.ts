/** Contributors, in their order, with their roles and what the record tells about them. */
import { inReadingOrder, joinParts, NAME_PARTS } from "../../../../client/names.ts";
import { nameInWords } from "../record/element-names.ts";
import { type Fact, type Fields, factOf, factsOf, type Shown, type ViewContext } from "../record/fields.ts";
import { onixDate } from "./dates.ts";
import { type LinkView, websitesOf } from "./links.ts";

export interface ContributorView {
  /** Undefined when the record names nobody. */
  readonly name: Shown | undefined;
  readonly roles: readonly Shown[];
  /** Languages that a translator translates from and to. */
  readonly fromLanguages: readonly Shown[];
  readonly toLanguages: readonly Shown[];
  readonly notes: readonly Shown[];
  readonly facts: readonly Fact[];
  readonly websites: readonly LinkView[];
  readonly prizes: readonly PrizeView[];
  /** Tells whether there is more than name and roles. */
  readonly hasDetails: boolean;
}

interface ContributorsView {
  readonly contributors: readonly ContributorView[];
  readonly statements: readonly Shown[];
  readonly isWithout: boolean;
}

export function readContributors(descriptive: Fields, context: ViewContext): ContributorsView {
  return {
    contributors: contributorsOf(descriptive, context),
    statements: descriptive.all("ContributorStatement"),
    isWithout: descriptive.flag("NoContributor"),
  };
}

export function contributorsOf(parent: Fields, context: ViewContext): readonly ContributorView[] {
  return parent
    .composites("Contributor")
    .map((contributor) => [sequenceOf(contributor), contributor] as const)
    .sort(([a], [b]) => (a === b ? 0 : a - b))
    .map(([, contributor]) => contributorOf(contributor, context));
}

/** Contributors without a number come last. */
function sequenceOf(contributor: Fields): number {
  const text = contributor.text("SequenceNumber");
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.MAX_SAFE_INTEGER;
}

function contributorOf(contributor: Fields, context: ViewContext): ContributorView {
  contributor.code("NameType");
  const view = {
    name: nameOf(contributor),
    roles: contributor.all("ContributorRole"),
    fromLanguages: contributor.all("FromLanguage"),
    toLanguages: contributor.all("ToLanguage"),
    notes: contributor.markup("BiographicalNote"),
    facts: [
      ...factsOf(contributor, ["ContributorDescription"], context),
      ...datesOf(contributor, context),
      ...placesOf(contributor),
      ...affiliationsOf(contributor, context),
    ],
    websites: websitesOf(contributor),
    prizes: readPrizes(contributor, context),
  };
  const details = [view.notes, view.facts, view.websites, view.prizes];
  return { ...view, hasDetails: details.some((list) => list.length > 0) };
}

/** The rule of docs/summary.md. */
export function nameOf(person: Fields): Shown | undefined {
  return (
    person.one("PersonName") ??
    nameOfParts(person) ??
    invertedName(person) ??
    person.one("CorporateName") ??
    person.one("CorporateNameInverted") ??
    person.one("UnnamedPersons") ??
    firstAlternative(person)
  );
}

/** Reads no further than the first name, so that the tree shows the others. */
function firstAlternative(person: Fields): Shown | undefined {
  for (const alternative of person.composites("AlternativeName")) {
    const name = nameOf(alternative);
    if (name) return name;
  }
  return undefined;
}

function invertedName(person: Fields): Shown | undefined {
  const inverted = person.one("PersonNameInverted");
  return inverted && { ...inverted, text: inReadingOrder(inverted.text), raw: inverted.raw ?? inverted.text };
}

function nameOfParts(person: Fields): Shown | undefined {
  const parts = NAME_PARTS.map((part) => person.one(part)).filter((part) => part !== undefined);
  return parts[0] && { ...parts[0], text: joinParts(parts.map(({ text }) => text)) };
}

function datesOf(contributor: Fields, context: ViewContext): readonly Fact[] {
  return contributor.flatMap("ContributorDate", (date) => {
    const role = date.one("ContributorDateRole");
    const { shown } = onixDate(date, context);
    return role && shown ? [{ name: role.text, values: [shown] }] : [];
  });
}

function placesOf(contributor: Fields): readonly Fact[] {
  return contributor.flatMap("ContributorPlace", (place) => {
    const relator = place.one("ContributorPlaceRelator");
    const values = ["LocationName", "RegionCode", "CountryCode"].flatMap((name) => place.all(name));
    return relator && values.length > 0 ? [{ name: relator.text, values }] : [];
  });
}

function affiliationsOf(contributor: Fields, context: ViewContext): readonly Fact[] {
  return contributor.flatMap("ProfessionalAffiliation", (each) =>
    factsOf(each, ["ProfessionalPosition", "Affiliation"], context),
  );
}

/** Prizes of a book or of a contributor. */
export interface PrizeView {
  readonly name: Shown | undefined;
  /** What the book has got: winner, shortlisted and so on (ONIX list 41). */
  readonly result: Shown | undefined;
  readonly year: Shown | undefined;
  readonly place: readonly Shown[];
  readonly facts: readonly Fact[];
}

export function readPrizes(parent: Fields, context: ViewContext): readonly PrizeView[] {
  return parent.composites("Prize").map((prize) => {
    const [name, ...otherNames] = prize.all("PrizeName");
    return {
      name,
      result: prize.one("PrizeCode"),
      year: prize.one("PrizeYear"),
      place: [...prize.all("PrizeCountry"), ...prize.all("PrizeRegion")],
      facts: [
        ...factOf(nameInWords("PrizeName", context.language), otherNames),
        ...factsOf(prize, ["PrizeStatement", "PrizeJury"], context),
      ],
    };
  });
}
