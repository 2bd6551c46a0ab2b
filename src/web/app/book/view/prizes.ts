/** Prizes of a book or of a contributor. */
import { nameInWords } from "../record/element-names.ts";
import { type Fact, factOf, factsOf, type ViewContext } from "../record/facts.ts";
import type { Fields, Shown } from "../record/fields.ts";

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
